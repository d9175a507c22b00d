// Starts `ruleforge lsp` for YAML files; files of no game are left alone by the server.
const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const command = workspace.getConfiguration("ruleforge").get("command");
  const server = { command, args: ["lsp"] };
  const options = {
    documentSelector: [{ scheme: "file", language: "yaml" }],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{yaml,yml,lock}") },
  };
  client = new LanguageClient("ruleforge", "RuleForge", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(
      `RuleForge cannot start \`${command} lsp\`: ${error.message || error}. Install it with ` +
        '`pip install "ruleforge[editor]"`, or say in the setting ruleforge.command where it is.'
    );
  }
}

async function stop() {
  const old = client;
  client = undefined;
  await old?.stop();
}

async function restart() {
  await stop();
  await start();
}

function activate(context) {
  const changed = (event) => event.affectsConfiguration("ruleforge.command") && restart();
  context.subscriptions.push(
    commands.registerCommand("ruleforge.restart", restart),
    workspace.onDidChangeConfiguration(changed)
  );
  return start();
}

module.exports = { activate, deactivate: stop };
