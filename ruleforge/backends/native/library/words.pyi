"""The words of the library: what is not Python's own becomes one instruction, or a call of the rules."""

class At:
    """Addresses and sizes that are known when a program is compiled (`memory.py`, `mailbox.py`)."""

    play: int  # the row that is being played
    start: int  # the row that every playout begins with
    records: int  # where results of playouts go
    records_end: int
    slots: int
    slot_bytes: int
    times: int
    scores: int
    counts: int  # how often what is counted came in the game under way, a word for each measure
    measures: int
    record_bytes: int
    pool: int  # where levels and search trees begin
    pool_end: int
    row_bytes: int
    level_bytes: int
    players: int
    backend_faults: int  # the first fault that is not one of the rules
    outcome: int  # words within a row
    winners: int
    who: int
    seed: int  # words of the mailbox
    next_game: int
    last_game: int
    most: int
    set_up: int
    watch: int
    alike: int
    under_way: int
    made: int
    broken: int
    failed: int
    generator: int
    depth: int
    level: int
    total: int
    wanted: int
    free: int
    spare: int
    path: int  # entries of a search tree that a simulation went through, each with who chose
    path_end: int
    ways: int  # connections that were found: start, goal, relation, number of cells, cells
    way_bytes: int
    last_way: int
    stamp: int
    marks: int  # a word for each cell: by which search it was last come by
    marks_bytes: int
    work_done: int  # a word within a row, as those above
    site: int
    envs: int  # words of the mailbox
    env: int
    heads: int
    listed: int
    fresh: int
    fresh_end: int
    fresh_room: int
    again: int
    viewer: int
    seen: int
    head_bytes: int  # of the words about an environment, of which these are some
    pick: int
    decides: int
    waits_at: int
    count: int
    first: int
    over: int
    own_made: int
    game: int
    own_generator: int
    record: int
    seen_bytes: int  # of an observation
    rewards: int  # of a simulation, a real number for each player

class Rules:
    """The program itself."""

    def resume(self, row: int, code: int) -> int:
        """Choose, run on, and give the number of choices then, which are the list; 0: over."""
    def choices(self, row: int) -> int:
        """The number of choices, which are then the list."""
    def attempt(self, row: int, code: int) -> int:
        """As `resume`; a trap gives -1 - fault."""
    def stop(self, fault: int) -> int:
        """Trap."""
    def trust(self, row: int) -> int:
        """Make what is kept behind a row that came from outside."""
    def score(self, row: int, player: int) -> int: ...
    def measured(self, row: int, number: int) -> int:
        """What a measure gives at the end of a game."""
    def standing(self, row: int, player: int) -> int:
        """How well a player stands before the end."""
    def observe(self, row: int, viewer: int) -> int:
        """The list is what a player may know."""
    def broken(self, row: int) -> int:
        """A bit for each of the first 32 invariants that does not hold."""

at: At
rules: Rules

def load(address: int) -> int: ...
def store(address: int, value: int) -> None: ...
def load_byte(address: int) -> int: ...
def store_byte(address: int, value: int) -> None: ...
def load_real(address: int) -> float: ...
def store_real(address: int, value: float) -> None: ...
def load_short(address: int) -> float:
    """A real number of four bytes."""

def store_short(address: int, value: float) -> None: ...
def copy(to: int, source: int, size: int) -> None:
    """Bytes, which may overlap."""

def copy_row(to: int, source: int) -> None:
    """A row and what is kept behind it, to another place."""

def fill(to: int, byte: int, size: int) -> None: ...
def list_begin() -> int: ...
def stack_top() -> int:
    """Free room of 1 MiB at least, until somebody else is called."""

def rotated(value: int, bits: int) -> int: ...
def shifted(value: int, bits: int) -> int:
    """To the right, without sign."""

def leading(value: int) -> int:
    """Bits before the first that is 1."""

def below(left: int, right: int) -> int:
    """Whether left < right, without sign."""

def rest(value: int, divisor: int) -> int:
    """Without sign."""

def high_word(left: int, right: int) -> int:
    """The upper half of the 64-bit product, without sign."""

def real(value: int) -> float: ...
def root(value: float) -> float: ...
