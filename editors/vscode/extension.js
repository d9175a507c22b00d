// Starts `ruleforge lsp` for YAML files; files of no game are left alone by the server.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function activate() {
  const command = workspace.getConfiguration("ruleforge").get("command");
  const server = { command, args: ["lsp"] };
  const options = {
    documentSelector: [{ scheme: "file", language: "yaml" }],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{yaml,yml,lock}") },
  };
  client = new LanguageClient("ruleforge", "RuleForge", server, options);
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
