"""From a list to the plan of one sitting: options and keys, order, blocks, gaps; all drawn before it begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from studies.arranging import arrange
from studies.chance import Stream
from studies.design_parts import CONDITION, CORRECT, FIRST_GENERATOR, Assigned, Design
from studies.model import Study
from studies.options import option_orders
from studies.order import rules_of
from studies.order_check import faults
from studies.order_room import Values
from studies.plan import GENERATOR, Block, Kind, Plan, PlannedTrial
from studies.squares import balanced_square, rounds_of

# Blocks by a field with more values than this stand in a drawn order in place of one of a square.
MOST_IN_A_SQUARE = 12


def plan_for(study: Study, design: Design, *, list_no: int, number: int, seed: int, pilot: bool, language: str) -> Plan:
    """The plan of the ``number``-th sitting (from 0), which is given list ``list_no``; the same for the same seed.

    Raises Refused with the rule of the order that cannot be kept.
    """
    plan = _Planner(study, design, list_no, number, seed).plan(pilot=pilot, language=language)
    wrong = faults(plan, study)
    if wrong:
        raise AssertionError(f"a plan does not keep what the study says: {wrong[0]}")
    return plan


class _Planner:
    """What is given to people in turn is counted so that no two such things go together.

    ``rotation`` is the place of the list in its round, ``turn`` how many rounds were before. Sets of keys change from
    person to person and from round to round; what else is given in turn (the order of blocks, the places of right
    answers) moves on once more whenever all sets have been given.
    """

    def __init__(self, study: Study, design: Design, list_no: int, number: int, seed: int) -> None:
        self.study, self.design, self.list_no, self.number, self.seed = study, design, list_no, number, seed
        self.turn, self.rotation = divmod(list_no, design.round_size)
        self.turn += number // len(design.lists)
        self.blocked = study.order.conditions == "blocked" and study.vary == "within"
        sets = study.answers.keys
        # Where conditions are blocked, the sum already chooses their order; all of it is shown with one set of keys.
        chosen = self.turn if self.blocked else self.turn + self.rotation
        self.keys = sets[self._square_turn() % len(sets) if self.blocked else chosen % len(sets)]
        self.places_turn = chosen % len(sets) + chosen // len(sets)
        self.blocks_turn = self.turn % len(sets) + self.turn // len(sets)

    def _square_turn(self) -> int:
        """How often the lists before this one have shown all orders of blocked conditions."""
        again, this = self.number // len(self.design.lists), self.list_no // self.design.round_size
        rounds = 1
        if self.design.generator != FIRST_GENERATOR:
            rounds = rounds_of(len(balanced_square(len(self.study.conditions))), self.design.round_size)
        return again + this // rounds

    def plan(self, *, pilot: bool, language: str) -> Plan:
        lists = self.design.lists
        main = self._trials(lists[self.list_no], "main")
        blocks = [Block(name, "main", trials) for name, trials in self._blocks(main)]
        blocks = self._with_attention(blocks)
        if self.study.practice:
            practice = self._trials(self.design.practice[self.list_no], "practice")
            blocks.insert(0, Block("practice", "practice", practice))
        return Plan(GENERATOR, self.study.hash, self.list_no, len(lists), self.number, self.seed, pilot, language,
                    tuple(blocks))

    def _trials(self, assigned: Sequence[Assigned], kind: Kind) -> tuple[PlannedTrial, ...]:
        items, spec = self.design.items, self.study.trial
        gaps = Stream(self.seed, "gaps", kind)
        least, most = (round(seconds * 1_000_000) for seconds in spec.gap)
        options = option_orders(assigned, items, self.study.answers.option_order, turn=self.places_turn,
                                chance=Stream(self.seed, "options", kind))
        return tuple(
            PlannedTrial(item.item, item.version, item.key, one.condition, kind, shown, self.keys[: len(shown)],
                         item.correct, round(spec.fixation * 1_000_000), gaps.between(least, most), dict(item.facets))
            for one, shown in zip(assigned, options, strict=True) for item in (items[one.item_index],))

    def _blocks(self, main: tuple[PlannedTrial, ...]) -> Iterator[tuple[str, tuple[PlannedTrial, ...]]]:
        study = self.study
        rules = rules_of(study.order)
        values: list[Values] = [tuple(_value(trial, rule.of) for rule in rules) for trial in main]
        groups = self._groups(main)
        # Conditions first, then the list's order, which is that of the strata: so they are dealt evenly.
        dealt = [sorted(group, key=lambda n: (main[n].condition, n)) for _, group in groups]
        count = study.blocks.count
        found = arrange(values, dealt, rules, count=count, chance=Stream(self.seed, "order"), tries=study.order.tries)
        names = [name if count == 1 else f"{name} {n + 1}".strip()
                 for name, group in groups for n in range(min(count, len(group)))]
        for name, block in zip(names, found, strict=True):
            yield name or "main", tuple(main[n] for n in block)

    def _groups(self, main: tuple[PlannedTrial, ...]) -> list[tuple[str, list[int]]]:
        """Trials that stand in blocks of their own, named and in the order of these: by condition, by field, or all."""
        by = self.study.blocks.by
        orders = self.design.block_orders[self.list_no] if self.blocked else ("",)
        values = self._values_in_order({trial.facets.get(by, "") for trial in main}) if by else [""]
        found = []
        for condition in orders:
            for value in values:
                group = [n for n, trial in enumerate(main) if condition in ("", trial.condition)
                         and (not by or trial.facets.get(by, "") == value)]
                if group:
                    found.append((" ".join(part for part in (condition, value) if part), group))
        return found

    def _values_in_order(self, values: set[str]) -> list[str]:
        names, chance = sorted(values), Stream(self.seed, "block order")
        if len(names) > MOST_IN_A_SQUARE:
            return chance.shuffled(names)
        rows = balanced_square(len(names))
        # Blocked conditions take the turn already; two squares that turn together would always show one pairing.
        row = chance.below(len(rows)) if self.blocked else self.blocks_turn % len(rows)
        return [names[n] for n in rows[row]]

    def _with_attention(self, blocks: list[Block]) -> list[Block]:
        attention = self.study.attention
        if attention is None:
            return blocks
        checks = iter(self._trials(self.design.attention[self.list_no], "attention"))
        total, passed, found = sum(len(block.trials) for block in blocks), 0, []
        for block in blocks:
            trials: list[PlannedTrial] = []
            for trial in block.trials:
                trials.append(trial)
                passed += 1
                if passed % attention.every == 0 and passed < total:
                    trials.append(next(checks))
            found.append(Block(block.name, block.kind, tuple(trials)))
        return found


def _value(trial: PlannedTrial, of: str) -> str | None:
    """What a rule goes by; the right answer by its place as shown, since that is the key that is pressed."""
    if of == CONDITION:
        return trial.condition
    if of == CORRECT:
        return None if trial.correct_position is None else str(trial.correct_position)
    return trial.facets.get(of)
