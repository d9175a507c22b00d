"""The rules as an editor sees them: one module a capability, all over one Workspace; only `server` knows a protocol."""
