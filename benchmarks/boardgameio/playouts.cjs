// Random playouts through boardgame.io's own reducer, without a client or a store around it.
// Reads lines `GAME SECONDS` from standard input, answers each with a line of JSON {games, moves, seconds}.
const readline = require('readline');
const { CreateGameReducer, InitializeGame } = require('boardgame.io/internal');
const MAKE_MOVE = 'MAKE_MOVE';
const games = require('./games.cjs');

const compiled = {};
for (const [name, game] of Object.entries(games)) {
  compiled[name] = { game, reducer: CreateGameReducer({ game }) };
}

function playout({ game, reducer }) {
  let state = InitializeGame({ game, numPlayers: 2 });
  let moves = 0;
  while (state.ctx.gameover === undefined) {
    const list = game.ai.enumerate(state.G, state.ctx);
    const { move, args } = list[Math.floor(Math.random() * list.length)];
    state = reducer(state, { type: MAKE_MOVE, payload: { type: move, args, playerID: state.ctx.currentPlayer } });
    moves += 1;
  }
  return moves;
}

function measure(name, seconds) {
  const until = process.hrtime.bigint() + BigInt(Math.round(seconds * 1e9));
  const begin = process.hrtime.bigint();
  let played = 0;
  let moves = 0;
  do {
    moves += playout(compiled[name]);
    played += 1;
  } while (process.hrtime.bigint() < until);
  return { games: played, moves, seconds: Number(process.hrtime.bigint() - begin) / 1e9 };
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const [name, seconds] = line.split(' ');
  console.log(JSON.stringify(measure(name, Number(seconds))));
});
