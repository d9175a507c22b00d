"""What emits the instructions of one function: layers of a class, each a module.

`Addresses` is below all; on it stand `Arithmetic` and `Relations`, on both `Expressions`. `Arrays` and `Listing` know
what is kept while a function runs, `Loops`, `Walks` and `Placing` how control goes, and `Statements` the rest.
"""
