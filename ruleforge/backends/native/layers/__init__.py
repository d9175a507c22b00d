"""The emitter of one function, as layers of a class. Each layer is a module.

`Addresses` is the base. `Arithmetic` and `Relations` extend it, `Expressions` extends both. `Arrays` and
`Listing` emit the storage of a running function, `Loops`, `Walks` and `Placing` its control flow, and
`Statements` the rest.
"""
