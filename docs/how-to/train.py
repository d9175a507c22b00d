"""Masked PPO with self-play in numpy: trains a policy for a game of two players and writes it as ONNX.

    python docs/how-to/train.py connect-four --minutes 5 --out policy.onnx --curve curve.json
    ruleforge play connect-four --seat red=policy:policy.onnx

It needs `pip install "ruleforge[rl,native,policy]"`. Writing ONNX needs the package `onnx`, too.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from ruleforge import rl

GAMMA, LAMBDA, CLIP, ENTROPY, VALUE = 0.99, 0.95, 0.2, 0.01, 0.5
HIDDEN = 128
KEPT = ("seen", "mask", "action", "chance", "value", "reward", "ends", "player")  # of each step


class Network:
    """Two hidden layers, then a number for each action and one for the position, trained by Adam."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator) -> None:
        sizes = [(inputs, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, actions + 1)]
        self.weights = [(rng.standard_normal(s) * np.sqrt(2 / s[0])).astype(np.float32) for s in sizes]
        self.weights[-1] *= 0.1
        self.weights += [np.zeros(s[1], np.float32) for s in sizes]
        self._first = [np.zeros_like(w) for w in self.weights]
        self._second = [np.zeros_like(w) for w in self.weights]
        self._steps = 0

    def forward(self, seen: Any) -> tuple[Any, Any, list[Any]]:
        """Logits, values, and the inputs of each layer."""
        layers = [seen]
        for weight, bias in zip(self.weights[:2], self.weights[3:5], strict=True):
            layers.append(np.maximum(layers[-1] @ weight + bias, 0))
        out = layers[-1] @ self.weights[2] + self.weights[5]
        return out[:, :-1], out[:, -1], layers

    def learn(self, gradient: Any, layers: list[Any], rate: float) -> None:
        """One step against a gradient of the outputs."""
        found: list[Any] = [None] * 6
        for layer in (2, 1, 0):
            found[layer], found[layer + 3] = layers[layer].T @ gradient, gradient.sum(axis=0)
            gradient = (gradient @ self.weights[layer].T) * (layers[layer] > 0)
        norm = np.sqrt(sum(float((each**2).sum()) for each in found))
        self._steps += 1
        for number, each in enumerate(found):
            each *= min(1.0, 0.5 / (norm + 1e-8))
            self._first[number] += 0.1 * (each - self._first[number])
            self._second[number] += 0.001 * (each**2 - self._second[number])
            mean = self._first[number] / (1 - 0.9**self._steps)
            spread = self._second[number] / (1 - 0.999**self._steps)
            self.weights[number] -= rate * mean / (np.sqrt(spread) + 1e-5)


def probabilities(logits: Any, mask: Any) -> Any:
    masked = np.where(mask, logits, -1e9)
    found = np.exp(masked - masked.max(axis=1, keepdims=True))
    return found / found.sum(axis=1, keepdims=True)


def rollout(envs: Any, seen: Any, infos: Any, network: Network, steps: int, rng: np.random.Generator) -> Any:
    """So many steps of all games: what was seen and done, and the advantage of each action for who took it."""
    kept: dict[str, list[Any]] = {
        name: [] for name in ["seen", "mask", "action", "chance", "value", "reward", "ends", "player"]
    }
    for _ in range(steps):
        logits, values, _ = network.forward(seen["observation"])
        mask = seen["action_mask"].astype(bool)
        chances = probabilities(logits, mask)
        actions = (chances.cumsum(axis=1) > rng.random((len(mask), 1))).argmax(axis=1)
        actions = np.where(mask[np.arange(len(mask)), actions], actions, mask.argmax(axis=1))
        row = (seen["observation"], mask, actions, chances[np.arange(len(mask)), actions], values)
        player = infos["player"]
        seen, rewards, terminated, truncated, infos = envs.step(actions)
        for name, value in zip(kept, (*row, rewards, terminated | truncated, player), strict=True):
            kept[name].append(value)
    found = {name: np.array(values) for name, values in kept.items()}
    _, last, _ = network.forward(seen["observation"])
    found["advantage"] = advantages(found, last, infos["player"])
    valid = (found["player"] >= 0).reshape(-1)  # the step after the end of a game begins the next one
    flat = {name: value.reshape(len(valid), *value.shape[2:])[valid] for name, value in found.items()}
    return flat, seen, infos


def advantages(found: dict[str, Any], value: Any, player: Any) -> Any:
    """Generalised advantages in a game of two: what is good for the next player is bad for this one."""
    result, ahead = np.zeros_like(found["value"]), np.zeros_like(value)
    for step in reversed(range(len(result))):
        sign = np.where(player == found["player"][step], 1, -1) * GAMMA * ~found["ends"][step]
        ahead = found["reward"][step] + sign * value - found["value"][step] + sign * LAMBDA * ahead
        result[step], value, player = ahead, found["value"][step], found["player"][step]
    return result


def improve(network: Network, data: Any, rate: float, rng: np.random.Generator) -> None:
    """Three rounds of PPO over what was seen."""
    scaled = (data["advantage"] - data["advantage"].mean()) / (data["advantage"].std() + 1e-8)
    targets = data["advantage"] + data["value"]
    for _ in range(3):
        for part in np.array_split(rng.permutation(len(scaled)), max(1, len(scaled) // 1024)):
            logits, values, layers = network.forward(data["seen"][part])
            chances, rows = probabilities(logits, data["mask"][part]), np.arange(len(part))
            action, gain = data["action"][part], scaled[part]
            ratio = chances[rows, action] / data["chance"][part]
            held = ((ratio > 1 + CLIP) & (gain > 0)) | ((ratio < 1 - CLIP) & (gain < 0))
            push = np.where(held, 0, -gain * ratio)
            gradient = -push[:, None] * chances
            gradient[rows, action] += push
            logs = np.log(np.maximum(chances, 1e-9))
            gradient += ENTROPY * chances * (logs - (chances * logs).sum(axis=1, keepdims=True))
            whole = np.concatenate([gradient, (VALUE * (values - targets[part]))[:, None]], axis=1)
            network.learn((whole / len(part)).astype(np.float32), layers, rate)


def won(game: str, network: Network, games: int, options: dict[str, Any]) -> float:
    """How often the policy wins against random choices, from both seats alike; a draw counts half."""
    results = list[float]()
    for seat in rl.space(game, options=options).players:
        envs = rl.gymnasium_vector_env(game, min(games // 2, 256), seat=seat, options=options)
        seen, _ = envs.reset(seed=1)
        own = list[float]()
        while len(own) < games // 2:
            logits, _, _ = network.forward(seen["observation"])
            picks = np.where(seen["action_mask"], logits, -np.inf).argmax(axis=1)
            seen, rewards, terminated, truncated, _ = envs.step(picks)
            own += ((rewards[terminated | truncated] + 1) / 2).tolist()
        results += own[: games // 2]
    return float(np.mean(results))


def write_onnx(network: Network, path: Path) -> None:
    """A graph from `observation` to `logits`, which `--seat ann=policy:FILE` reads."""
    from onnx import TensorProto, checker, helper, numpy_helper, save

    arrays = {f"w{n}": network.weights[n] for n in range(3)} | {
        f"b{n}": network.weights[n + 3] for n in range(3)
    }
    arrays["w2"], arrays["b2"] = arrays["w2"][:, :-1].copy(), arrays["b2"][:-1].copy()
    nodes, last = [], "observation"
    for layer in range(3):
        out = "logits" if layer == 2 else f"sum{layer}"
        nodes.append(helper.make_node("Gemm", [last, f"w{layer}", f"b{layer}"], [out]))
        if layer < 2:
            nodes.append(helper.make_node("Relu", [out], [last := f"layer{layer}"]))
    shape = [["games", arrays["w0"].shape[0]], ["games", arrays["w2"].shape[1]]]
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, each)
        for name, each in zip(("observation", "logits"), shape, strict=True)
    ]
    graph = helper.make_graph(
        nodes, "policy", ends[:1], ends[1:], [numpy_helper.from_array(a, n) for n, a in arrays.items()]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    checker.check_model(model)
    save(model, str(path))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--until", type=float, default=1.1, help="stop at this share of wins against random")
    parser.add_argument("--envs", type=int, default=256)
    parser.add_argument("--steps", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--games", type=int, default=500, help="played for each point of the curve")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--curve", type=Path, help="write the share of wins over time as JSON")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    options = {n: int(v) if v.isdigit() else v for n, _, v in (each.partition("=") for each in given.option)}
    envs = rl.gymnasium_vector_env(given.game, given.envs, self_play=True, options=options)
    rng = np.random.default_rng(given.seed)
    network = Network(envs.space.size, envs.space.actions.count, rng)
    seen, infos = envs.reset(seed=given.seed)
    began, spent, steps, curve, due = time.perf_counter(), 0.0, 0, list[dict[str, float]](), 0.0
    while True:
        if spent >= due:
            share = won(given.game, network, given.games, options)
            spent = time.perf_counter() - began
            due = spent + max(5, spent / 8)
            curve.append({"seconds": round(spent, 1), "actions": steps, "won": round(share, 3)})
            print(f"{spent:6.0f} s  {steps:10,} actions  {share:6.1%} against random", flush=True)
            if share >= given.until or spent > 60 * given.minutes:
                break
        data, seen, infos = rollout(envs, seen, infos, network, given.steps, rng)
        improve(network, data, given.rate, rng)
        steps += len(data["action"])
        spent = time.perf_counter() - began
        due = min(due, 60 * given.minutes)
    if given.out:
        write_onnx(network, given.out)
    if given.curve:
        given.curve.write_text(json.dumps(curve), "utf-8")


if __name__ == "__main__":
    main()
