"""Support: files, caches, limits, spelling and diagnostics. It knows nothing of rules, and every room may use it.

Read first: `input_files`, `disk_cache`, `diagnostics`.
"""
