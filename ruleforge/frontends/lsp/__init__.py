"""The rules in an editor: one module for each capability, over one `Workspace`; only `server` knows a protocol."""
