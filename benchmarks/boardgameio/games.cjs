// The two games as a boardgame.io author writes them: the tutorial's tic-tac-toe, and Connect Four in the same manner.
const { INVALID_MOVE } = require('boardgame.io/core');

const LINES = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
];

const isVictory = (cells) =>
  LINES.some((line) => {
    const symbols = line.map((i) => cells[i]);
    return symbols.every((i) => i !== null && i === symbols[0]);
  });

const ticTacToe = {
  name: 'tic-tac-toe',
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell: ({ G, playerID }, id) => {
      if (G.cells[id] !== null) return INVALID_MOVE;
      G.cells[id] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    if (isVictory(G.cells)) return { winner: ctx.currentPlayer };
    if (G.cells.every((c) => c !== null)) return { draw: true };
  },
  ai: {
    enumerate: (G) => {
      const moves = [];
      for (let i = 0; i < 9; i++) if (G.cells[i] === null) moves.push({ move: 'clickCell', args: [i] });
      return moves;
    },
  },
};

const COLUMNS = 7;
const ROWS = 6;
const at = (G, c, r) => (c < 0 || c >= COLUMNS || r < 0 || r >= ROWS ? null : G.cells[r * COLUMNS + c]);

// Only the lines through the last disc are looked at, as a careful author would do.
const isFour = (G) => {
  if (G.last === null) return false;
  const c = G.last % COLUMNS;
  const r = Math.floor(G.last / COLUMNS);
  const disc = G.cells[G.last];
  return [[1, 0], [0, 1], [1, 1], [1, -1]].some(([dc, dr]) => {
    let run = 1;
    for (let k = 1; at(G, c + k * dc, r + k * dr) === disc; k++) run++;
    for (let k = 1; at(G, c - k * dc, r - k * dr) === disc; k++) run++;
    return run >= 4;
  });
};

const connectFour = {
  name: 'connect-four',
  setup: () => ({ cells: Array(COLUMNS * ROWS).fill(null), heights: Array(COLUMNS).fill(0), last: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    drop: ({ G, playerID }, column) => {
      if (G.heights[column] >= ROWS) return INVALID_MOVE;
      G.last = G.heights[column] * COLUMNS + column;
      G.heights[column] += 1;
      G.cells[G.last] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    if (isFour(G)) return { winner: ctx.currentPlayer };
    if (G.heights.every((h) => h === ROWS)) return { draw: true };
  },
  ai: {
    enumerate: (G) => {
      const moves = [];
      for (let c = 0; c < COLUMNS; c++) if (G.heights[c] < ROWS) moves.push({ move: 'drop', args: [c] });
      return moves;
    },
  },
};

module.exports = { 'tic-tac-toe': ticTacToe, 'connect-four': connectFour };
