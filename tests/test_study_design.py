"""Designs: nobody sees a thing twice, conditions are balanced, and what is drawn can be drawn again."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation import canonical
from annotation.errors import Refused
from studies.chance import Stream
from studies.design import Design, StudyItem, design, facet_names, least_filled
from studies.model import Study
from studies.order_check import faults
from studies.plan import Plan
from studies.squares import balanced_square, first_row, rounds_of
from studies.strata import parts, shares
from tests.study_designs import World, a_plan, a_study, distances, planned, runs, some_items, worlds

GOLDEN_DRAWS = [391, 11, 946, 689, 83]
GOLDEN_SHUFFLE = [2, 4, 0, 6, 3, 1, 5, 7]
GOLDEN_PLAN = "9fcbf72415e99c0d2a4695e9a9867356a8f063cceda883892762c86b79a93ab0"
# As the first generator drew it.
KEPT_ORDER = [f"k{n:04}" for n in (7, 6, 5, 3, 10, 11, 9, 8, 0, 4, 2, 1)]

# --- squares ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", range(2, 13))
def test_in_a_balanced_square_everything_is_equally_often_at_each_place_and_after_each_other(size: int) -> None:
    square = balanced_square(size)
    times = 2 if size % 2 else 1
    assert len(square) == size * times and all(sorted(row) == list(range(size)) for row in square)
    places = Counter((place, one) for row in square for place, one in enumerate(row))
    pairs = Counter(pair for row in square for pair in pairwise(row))
    assert set(places.values()) == {times} and len(places) == size * size
    assert set(pairs.values()) == {times} and len(pairs) == size * (size - 1)


def test_a_square_of_one_is_one_row() -> None:
    assert balanced_square(1) == ((0,),)
    with pytest.raises(ValueError):
        balanced_square(0)


# --- lists --------------------------------------------------------------------------------------------------------


def path_of(study: Study, item: StudyItem) -> tuple[str, ...]:
    return tuple((item.correct if name == "correct" else item.facets.get(name)) or "" for name in study.strata)


def spread(counts: Counter[str], names: tuple[str, ...]) -> int:
    return max(counts[name] for name in names) - min(counts[name] for name in names)


@settings(max_examples=30)
@given(worlds())
def test_nobody_sees_an_item_twice_and_conditions_are_balanced_in_every_stratum(world: World) -> None:
    study, made = world.study, design(world.study, world.items)
    names = tuple(condition.name for condition in study.conditions)
    for number, assigned in enumerate(made.lists):
        seen = [one.item_index for part in (assigned, made.practice[number], made.attention[number]) for one in part]
        assert len(set(seen)) == len(seen)
        if study.vary == "between":
            assert {one.condition for one in assigned} == {names[number % len(names)]}
            continue
        # In each stratum, in each value of the first field, and in the whole list.
        for depth in range(len(study.strata) + 1):
            cells: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
            for one in assigned:
                cells[path_of(study, made.items[one.item_index])[:depth]][one.condition] += 1
            for cell in cells.values():
                assert spread(cell, names) <= 1
                if cell.total() % len(names) == 0:
                    assert spread(cell, names) == 0


@settings(max_examples=30)
@given(worlds())
def test_over_a_full_round_every_item_is_equally_often_in_each_condition(world: World) -> None:
    made = design(world.study, world.items)
    conditions = len(world.study.conditions)
    assert made.round_size == conditions and len(made.lists) % conditions == 0
    for start in range(0, len(made.lists), made.round_size):
        seen = Counter((one.item_index, one.condition) for assigned in made.lists[start:start + made.round_size]
                       for one in assigned)
        assert set(seen.values()) == {1}
        assert len(seen) == conditions * len({item for item, _ in seen})


@settings(max_examples=30)
@given(worlds())
def test_a_part_for_each_person_is_as_large_as_asked_and_every_item_is_in_one(world: World) -> None:
    study, made = world.study, design(world.study, world.items)
    main = [n for n, item in enumerate(made.items) if item.facets["use"] == "main"]
    assert {len(assigned) for assigned in made.lists} == {study.per_person or len(main)}
    assert {one.item_index for assigned in made.lists for one in assigned} == set(main)
    sizes = Counter(path_of(study, made.items[n])[:1] for n in main)
    for assigned in made.lists:  # equal parts of the first field's values, but for those that are used up
        taken = Counter(path_of(study, made.items[one.item_index])[:1] for one in assigned)
        free = [taken[value] for value in sizes if taken[value] < sizes[value]]
        assert max(free, default=0) - min(free, default=0) <= 1
        assert all(taken[value] >= min(free, default=0) or taken[value] == sizes[value] for value in sizes)


def test_24_of_each_task_whatever_the_pools_hold() -> None:
    study = a_study(strata=["task"], per_person=96)
    pools = {"flat": 639, "solid": 612, "cube": 193, "tangram": 532}
    tasks = [task for task, count in pools.items() for _ in range(count)]
    made = design(study, some_items(study, len(tasks), task=lambda n: tasks[n]))
    for assigned in made.lists:
        seen = Counter((made.items[one.item_index].facets["task"], one.condition) for one in assigned)
        assert seen == {(task, condition): 12 for task in pools for condition in ("c0", "c1")}
    uses: dict[str, set[int]] = defaultdict(set)
    for item, count in Counter(one.item_index for assigned in made.lists for one in assigned).items():
        uses[made.items[item].facets["task"]].add(count)
    assert all(max(counts) - min(counts) <= 2 for counts in uses.values())  # one turn more or less, in both conditions


@given(st.lists(st.integers(0, 60), min_size=1, max_size=12), st.data())
def test_shares_differ_by_at_most_one_but_for_what_is_used_up(sizes: list[int], data: st.DataObject) -> None:
    amount = data.draw(st.integers(0, sum(sizes)))
    got = shares(sizes, amount, [0] * len(sizes))
    assert sum(got) == amount and all(part <= size for part, size in zip(got, sizes, strict=True))
    free = [part for part, size in zip(got, sizes, strict=True) if part < size]
    assert max(free, default=0) - min(free, default=0) <= 1
    assert all(part <= max(free) for part in got) if free else True


def test_parts_use_the_units_of_a_stratum_equally_often() -> None:
    paths = {n: (str(n % 3),) for n in range(50)}
    used = Counter(unit for part in parts(paths, 5, 7, least=40) for unit in part)
    assert len(used) == 50
    for stratum in range(3):
        counts = [used[n] for n in range(50) if n % 3 == stratum]
        assert max(counts) - min(counts) <= 1


def test_a_person_sees_one_item_of_a_family_and_each_member_in_its_own_condition() -> None:
    """The same puzzle with and without its steps may be two items: who sees one does not see the other."""
    study = a_study(family="puzzle", strata=["task"])
    items = some_items(study, 80, puzzle=lambda n: n // 2, task=lambda n: n // 2 % 4,
                       conditions=lambda n: (f"c{n % 2}",))
    made = design(study, items)
    assert len(made.lists) == 2
    for assigned in made.lists:
        assert Counter(made.items[one.item_index].facets["puzzle"] for one in assigned) == {
            str(n): 1 for n in range(40)}
        assert all(one.condition in made.items[one.item_index].conditions for one in assigned)
        assert Counter((made.items[one.item_index].facets["task"], one.condition) for one in assigned) == {
            (str(task), condition): 5 for task in range(4) for condition in ("c0", "c1")}
    assert {one.item_index for assigned in made.lists for one in assigned} == set(range(80))
    assert faults(a_plan(study, made), study) == ()


def test_members_of_a_family_that_fit_the_same_condition_take_turns() -> None:
    study = a_study(family="puzzle")
    made = design(study, some_items(study, 30, puzzle=lambda n: n // 3))
    used = Counter((one.item_index, one.condition) for assigned in made.lists for one in assigned)
    assert set(used.values()) == {1} and len(used) == 60 and len(made.lists) == 6


def test_items_that_fit_only_some_conditions_rotate_among_those() -> None:
    study = a_study(3, strata=["task"])
    items = some_items(study, 120, task=lambda n: n % 2,
                       conditions=lambda n: ("c0", "c1", "c2") if n < 60 else ("c0", "c2"))
    made = design(study, items)
    assert made.round_size == 6
    used = Counter((one.item_index, one.condition) for assigned in made.lists for one in assigned)
    for n, item in enumerate(made.items):
        assert {used[n, name] for name in item.conditions} == {6 // len(item.conditions)}
        assert all(not used[n, name] for name in {"c0", "c1", "c2"} - set(item.conditions))
    for assigned in made.lists:
        for task in "01":
            halves = [Counter(one.condition for one in assigned if made.items[one.item_index].facets["task"] == task
                              and len(made.items[one.item_index].conditions) == kinds) for kinds in (3, 2)]
            assert spread(halves[0], ("c0", "c1", "c2")) == 0 and spread(halves[1], ("c0", "c2")) == 0


@pytest.mark.parametrize("conditions", range(2, 13))
def test_blocked_conditions_stand_in_the_orders_of_a_balanced_square(conditions: int) -> None:
    study = a_study(conditions, order={"conditions": "blocked"})
    made = design(study, some_items(study, 24))
    rows = len(balanced_square(conditions))
    assert len(made.lists) == conditions * rows
    firsts = made.block_orders[:conditions]
    if conditions % 2 == 0:  # the first round already holds the whole square
        assert Counter(order[0] for order in firsts) == {f"c{n}": 1 for n in range(conditions)}
    # Over all lists each rotation of the items meets each order once: neither can pass for the other.
    assert len({(n % conditions, order) for n, order in enumerate(made.block_orders)}) == conditions * rows
    pairs = Counter(pair for order in made.block_orders for pair in pairwise(order))
    assert len(set(pairs.values())) == 1 and len(pairs) == conditions * (conditions - 1)
    plan = a_plan(study, made, list_no=conditions - 1)
    assert tuple(block.name for block in plan.blocks) == made.block_orders[conditions - 1]


@pytest.mark.parametrize("per_person", [None, 12])
@pytest.mark.parametrize("conditions", [3, 4, 5, 7, 9, 11])
def test_as_many_people_as_the_square_has_rows_show_each_order_once_with_one_set_of_keys(conditions: int,
                                                                                        per_person: int | None) -> None:
    """With an odd number, two rounds: else three conditions and six people leave a pair out that others have twice."""
    study = a_study(conditions, order={"conditions": "blocked"}, per_person=per_person,
                    answers={"keys": ["fj", "jf"]})
    made = design(study, some_items(study, 24))
    rows = len(balanced_square(conditions))
    assert len(set(made.block_orders[:rows])) == rows
    pairs = Counter(pair for order in made.block_orders[:rows] for pair in pairwise(order))
    assert len(pairs) == conditions * (conditions - 1) and len(set(pairs.values())) == 1
    if per_person is None:
        met = Counter((made.block_orders[number], a_plan(study, made, list_no=number, number=number).blocks[0].trials[0]
                       .keys) for number in range(2 * rows))
        assert set(met.values()) == {1} and len(met) == 2 * rows


@given(st.integers(1, 30), st.integers(1, 60))
def test_rounds_show_all_rows_equally_often_as_soon_as_can_be(rows: int, size: int) -> None:
    turns = [first_row(rows, size, turn) for turn in range(rows)]
    assert sorted(turns) == list(range(rows))
    shown = Counter((start + place) % rows for start in turns[:rounds_of(rows, size)] for place in range(size))
    assert set(shown.values()) == {rounds_of(rows, size) * size // rows} and len(shown) == rows


def test_a_study_begun_with_the_first_generator_goes_on_with_its_lists() -> None:
    study = a_study(3, order={"conditions": "blocked"}, answers={"keys": ["fj", "jf"]})
    items = some_items(study, 24)
    first, now = design(study, items, "goldsmith-design/1"), design(study, items)
    assert first.generator == "goldsmith-design/1" and first.lists == now.lists
    assert [order[0] for order in first.block_orders[:9]] == ["c0", "c1", "c2", "c1", "c2", "c2", "c2", "c2", "c0"]
    keys = [a_plan(study, first, list_no=n, number=n).blocks[0].trials[0].keys for n in range(9)]
    assert keys == [("f", "j")] * 3 + [("j", "f")] * 3 + [("f", "j")] * 3
    with pytest.raises(Refused, match="goldsmith-design/99"):
        design(study, items, "goldsmith-design/99")


def test_small_parts_in_many_orders_do_not_make_lists_without_end() -> None:
    study = a_study(11, per_person=1, order={"conditions": "blocked"}, people=60)
    made = design(study, some_items(study, 500))
    assert len(made.lists) == 11 * 500
    assert {one.item_index for assigned in made.lists for one in assigned} == set(range(500))


@settings(max_examples=30)
@given(worlds(most=80), st.randoms(use_true_random=False))
def test_the_order_in_which_a_store_gives_the_items_does_not_matter(world: World, chance) -> None:
    mixed = list(world.items)
    chance.shuffle(mixed)
    assert design(world.study, mixed) == design(world.study, world.items)


def test_another_seed_is_another_design_and_its_numbers_are_kept_with_it() -> None:
    study, other = a_study(seed=4), a_study(seed=5)
    made = design(study, some_items(study, 40))
    assert made.lists != design(other, some_items(other, 40)).lists
    assert (made.seed, made.generator) == (4, "goldsmith-design/2")
    assert canonical.sha256(made.to_json()) == canonical.sha256(design(study, some_items(study, 40)).to_json())


@pytest.mark.parametrize(("keys", "change", "said"), [
    ({}, lambda items: [], "There is no item for the trials in earnest"),
    ({}, lambda items: [*items, items[3]], "The item 'k0003' is there twice"),
    ({}, lambda items: [replace(items[0], conditions=())], "'k0000' fits no condition of the study"),
    ({}, lambda items: [replace(items[0], options=("a",), correct=None)],
     "'k0000' needs two options or more, all different"),
    ({}, lambda items: [replace(items[0], options=("a", "a", "b"))],
     "'k0000' needs two options or more, all different"),
    ({}, lambda items: [replace(items[0], correct="z")],
     "The right answer of 'k0000' is 'z', which is none of its options"),
    ({"answers": {"keys": [["f", "j"]]}}, lambda items: [replace(items[0], options=("a", "b", "c"))],
     "'k0000' has 3 options, but a set of keys has 2"),
    ({"per_person": 31}, lambda items: items, "A person is to see 31 items; there are 30"),
    ({"practice": {"where": {"task": ["0"]}, "items": 11}}, lambda items: items,
     "practice wants 11 items, but only 10 match its 'where'"),
    ({"attention": {"where": {"task": ["x"]}, "every": 2}},
     lambda items: [replace(one, facets={"task": "x" if n < 3 else "y"}) for n, one in enumerate(items)],
     "attention wants 13 items, but only 3 match its 'where'"),
    ({"practice": {"where": {"task": ["x"]}, "items": 2}, "vary": "between"},
     lambda items: [replace(one, facets={"task": "x" if n < 3 else "y"},
                            conditions=("c0",) if n < 2 else one.conditions) for n, one in enumerate(items)],
     "practice wants 2 items, but only 1 match its 'where' and can be seen in 'c1'"),
    ({"vary": "between"}, lambda items: [replace(one, conditions=("c0",)) for one in items],
     "No item can be seen in the condition 'c1'"),
    ({"family": "kin", "strata": ["task"]}, lambda items: [replace(one, facets={**one.facets, "kin": "x"})
                                                           for one in items],
     "'k0000' and 'k0001' are of one family and stand in different strata"),
])
def test_what_cannot_be_designed_is_refused_by_name(keys, change, said) -> None:
    study = a_study(**keys)
    items = change(some_items(study, 30, task=lambda n: n % 3))
    with pytest.raises(Refused) as refused:
        design(study, items)
    assert said in str(refused.value)


# --- who is given which list --------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.integers(1, 24), st.integers(1, 60), st.lists(st.sampled_from(["ends", "ends", "lost"]), min_size=60,
                                                       max_size=60), st.randoms(use_true_random=False))
def test_lists_fill_evenly_although_some_people_leave(lists: int, people: int, ways: list[str], chance) -> None:
    counts, open_, sitting = [0] * lists, [0] * lists, []
    for way in ways[:people]:
        chosen = least_filled(counts, open_)
        open_[chosen] += 1
        sitting.append((chosen, way))
        while sitting and chance.random() < 0.7:
            leaving, how = sitting.pop(chance.randrange(len(sitting)))
            open_[leaving] -= 1
            counts[leaving] += how == "ends"
    for leaving, _ in sitting:
        open_[leaving] -= 1
        counts[leaving] += 1
    while max(counts) - min(counts) > 1:  # whoever comes next fills the gaps that were left
        chosen = least_filled(counts, open_)
        assert counts[chosen] == min(counts)
        counts[chosen] += 1
    assert open_ == [0] * lists


def test_a_place_that_was_left_is_given_again_first() -> None:
    assert least_filled([1, 1, 0, 1], [0, 0, 0, 0]) == 2
    assert least_filled([1, 0], [0, 1]) == 1  # the one under way may still be lost
    assert least_filled([0, 0, 0], [1, 0, 0]) == 1
    with pytest.raises(ValueError):
        least_filled([], [])


# --- draws --------------------------------------------------------------------------------------------------------


def test_a_stream_is_named_by_its_purpose_and_gives_the_same_for_ever() -> None:
    assert [Stream(7, "gaps").below(1000) for _ in range(3)] == [Stream(7, "gaps").below(1000)] * 3
    drawn = Stream(7, "gaps")
    assert [drawn.below(1000) for _ in range(5)] == GOLDEN_DRAWS
    assert Stream(7, "order").shuffled(range(8)) == GOLDEN_SHUFFLE
    assert Stream(7, "gaps").below(1) == 0 and Stream(3).between(4, 4) == 4
    with pytest.raises(ValueError):
        Stream(7).below(0)


@pytest.mark.parametrize("limit", [2, 3, 6, 10])
def test_draws_are_even(limit: int) -> None:
    """Chi squared over 6,000 draws stays below the 99.99 % point of its distribution."""
    drawn = Stream(11, "even", limit)
    counts = Counter(drawn.below(limit) for _ in range(6000))
    expected = 6000 / limit
    assert sum((counts[n] - expected) ** 2 / expected for n in range(limit)) < 34


def test_every_order_of_four_comes_equally_often() -> None:
    drawn = Stream(3, "orders")
    counts = Counter(tuple(drawn.shuffled(range(4))) for _ in range(4800))
    assert len(counts) == 24 and sum((count - 200) ** 2 / 200 for count in counts.values()) < 60


def test_a_change_of_gaps_moves_neither_order_nor_options() -> None:
    one, other = (a_study(trial={"gap": gap}, answers={"option_order": "shuffled"}) for gap in ([0.5, 0.5], [0.4, 1.2]))
    items = some_items(one, 40, options=4)
    first, second = planned(one, items), planned(other, items)

    def shown(plan: Plan) -> list[tuple[str, tuple[str, ...]]]:
        return [(trial.item, trial.options) for _, _, trial in plan.each()]

    assert shown(first) == shown(second) and shown(first) != shown(planned(one, items, seed=2))


def test_gaps_are_whole_microseconds_drawn_evenly_between_both_ends() -> None:
    study = a_study(trial={"gap": [0.4, 1.2], "fixation": 0.25})
    items = some_items(study, 500)
    gaps = [trial.gap_us for seed in range(4) for _, _, trial in planned(study, items, seed=seed).each()]
    assert all(type(gap) is int and 400_000 <= gap <= 1_200_000 for gap in gaps) and len(set(gaps)) > 1900
    quarters = Counter((gap - 400_000) // 200_001 for gap in gaps)
    assert all(400 < quarters[quarter] < 600 for quarter in range(4))
    exact = [trial for _, _, trial in planned(a_study(trial={"gap": [0.3, 0.3]}), some_items(study, 5)).each()]
    assert {trial.gap_us for trial in exact} == {300_000} and {trial.fixation_us for trial in exact} == {500_000}


# --- options, keys, attention, practice ---------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.integers(1, 12), st.integers(1, 120), st.integers(2, 6), st.integers(0, 50))
def test_balanced_options_put_the_right_answer_equally_often_at_each_place(conditions: int, count: int, options: int,
                                                                           number: int) -> None:
    study = a_study(conditions, correct={"field": "truth"}, answers={"keys": ["123456"], "option_order": "balanced"})
    made = design(study, some_items(study, count, options=options))
    plan = a_plan(study, made, list_no=number % len(made.lists), number=number, seed=number)
    places = range(1, options + 1)
    for condition in (None, *(one.name for one in study.conditions)):
        counts = Counter(trial.correct_position for _, _, trial in plan.each() if condition in (None, trial.condition))
        assert max(counts[place] for place in places) - min(counts[place] for place in places) <= 1


def test_from_person_to_person_the_right_answer_of_an_item_stands_at_each_place_in_turn() -> None:
    study = a_study(correct={"field": "truth"}, answers={"option_order": "balanced"})
    made = design(study, some_items(study, 40, options=4))
    for list_no in (0, 1):
        plans = [a_plan(study, made, list_no=list_no, number=list_no + 2 * again, seed=again) for again in range(4)]
        places = Counter((trial.item, trial.correct_position) for plan in plans for _, _, trial in plan.each())
        assert set(places.values()) == {1} and len(places) == 160


def test_shuffled_options_are_drawn_and_given_ones_left_alone() -> None:
    drawn = planned(study := a_study(answers={"option_order": "shuffled"}), some_items(study, 400, options=4))
    places = Counter(trial.correct_position for _, _, trial in drawn.each())
    assert all(70 < places[place] < 130 for place in range(1, 5))
    given_ = planned(study := a_study(), some_items(study, 10, options=4))
    assert {trial.options for _, _, trial in given_.each()} == {("a", "b", "c", "d")}


def test_options_without_a_known_right_answer_move_on() -> None:
    study = a_study(answers={"option_order": "balanced"})
    plan = planned(study, some_items(study, 40, options=4, known=False))
    assert Counter(trial.options[0] for _, _, trial in plan.each()) == {"a": 10, "b": 10, "c": 10, "d": 10}
    assert {trial.correct_position for _, _, trial in plan.each()} == {None}


@pytest.mark.parametrize("keys", [{}, {"vary": "between"}, {"order": {"conditions": "blocked"}},
                                  {"per_person": 7}, {"blocks": {"by": "task"}}])
@pytest.mark.parametrize("sets", [2, 3])
def test_key_sets_are_given_in_turn_and_none_goes_with_a_list_a_condition_or_an_order(keys, sets: int) -> None:
    chosen = ["12", "21", "34"][:sets]
    study = a_study(answers={"keys": chosen}, **keys)
    made = design(study, some_items(study, 28, task=lambda n: n % 2))
    lists = len(made.lists)
    met = Counter()
    for number in range(lists * sets):
        plan = a_plan(study, made, list_no=number % lists, number=number, seed=number)
        used = {trial.keys for _, _, trial in plan.each()}
        assert len(used) == 1
        met[number % lists, used.pop()] += 1
    assert len(met) == lists * sets and set(met.values()) == {1}


@pytest.mark.parametrize("sets", [["fj"], ["fj", "jf"]])
def test_the_right_key_of_an_item_differs_from_person_to_person(sets: list[str]) -> None:
    study = a_study(answers={"keys": sets, "option_order": "balanced"}, correct={"field": "truth"})
    made = design(study, some_items(study, 24))
    keys = Counter()
    for number in range(8):
        for _, _, trial in a_plan(study, made, list_no=number % 2, number=number, seed=number).each():
            keys[trial.item, trial.condition, trial.keys[trial.correct_position - 1]] += 1
    assert len(keys) == 24 * 2 * 2 and set(keys.values()) == {2}


def test_block_order_and_key_set_do_not_go_together() -> None:
    study = a_study(answers={"keys": ["fj", "jf"]}, blocks={"by": "task"})
    made = design(study, some_items(study, 24, task=lambda n: n % 2))
    met = Counter()
    for number in range(8):
        plan = a_plan(study, made, list_no=number % 2, number=number, seed=number)
        met[number % 2, plan.blocks[0].name, plan.blocks[0].trials[0].keys] += 1
    assert met == {(one, name, keys): 1 for one in (0, 1) for name in "01" for keys in (("f", "j"), ("j", "f"))}


def test_practice_comes_first_with_every_condition_and_its_items_never_in_earnest() -> None:
    study = a_study(3, practice={"where": {"use": ["try"]}, "items": 6},
                    attention={"where": {"use": ["look"]}, "every": 10})
    items = some_items(study, 60, use=lambda n: "try" if n < 8 else "look" if n < 15 else "main")
    plan = planned(study, items)
    assert [block.kind for block in plan.blocks] == ["practice", "main"] and len(plan.blocks[0].trials) == 6
    assert Counter(trial.condition for trial in plan.blocks[0].trials) == {"c0": 2, "c1": 2, "c2": 2}
    kinds = [trial.kind for trial in plan.blocks[1].trials]
    assert kinds.count("main") == 45 and [n for n, kind in enumerate(kinds) if kind == "attention"] == [10, 21, 32, 43]
    assert {trial.facets["use"] for trial in plan.blocks[1].trials if trial.kind == "main"} == {"main"}
    exact = planned(study, [one for one in items if one.key < "k0012" or one.key >= "k0020"])  # 40 in earnest: 3 checks
    assert [trial.kind for trial in exact.blocks[1].trials].count("attention") == 3
    assert len(design(study, items[:55]).attention[0]) == 3


def test_the_fields_that_a_design_goes_by_are_named_once() -> None:
    study = a_study(task="task", strata=["task", "correct"], family="kin", blocks={"by": "task"},
                    correct={"field": "t"}, order={"max_run": runs(("condition", 2), ("correct", 2), ("side", 2))},
                    practice={"where": {"use": ["try"]}})
    assert facet_names(study) == ("task", "kin", "side", "use")


# --- what was promised to those who kept a plan -------------------------------------------------------------------


def test_a_plan_is_the_same_as_the_one_drawn_when_this_generator_was_made() -> None:
    """A change that breaks this needs a new number in GENERATOR: kept plans name how they were drawn."""
    study = a_study(3, strata=["task"], blocks={"count": 2}, trial={"gap": [0.4, 0.9]}, seed=12,
                    order={"max_run": runs(("condition", 2)), "min_distance": distances(("kin", 2))},
                    answers={"keys": ["123", "321"], "option_order": "balanced"})
    items = some_items(study, 60, options=3, task=lambda n: n % 4, kin=lambda n: n // 5)
    plan = planned(study, items, list_no=1, number=4, seed=99)
    assert plan.generator == "goldsmith-plan/2"
    assert canonical.sha256(plan.to_json()) == GOLDEN_PLAN


def test_a_plan_kept_by_the_first_generator_is_still_read_and_still_whole() -> None:
    """Its order was drawn then (``KEPT_ORDER``); nothing is drawn again when a kept plan is read."""
    study = a_study(strata=["task"], seed=12, order={"max_run": runs(("condition", 2), ("task", 1))})
    drawn = planned(study, some_items(study, 12, task=lambda n: n % 3), seed=99)
    trials = {trial.key: trial for trial in drawn.blocks[0].trials}
    kept = replace(drawn, generator="goldsmith-plan/1", blocks=(replace(
        drawn.blocks[0], trials=tuple(trials[key] for key in KEPT_ORDER)),))
    again = Plan.from_json(canonical.loads(canonical.dumps(kept.to_json())))
    assert again == kept and again.generator == "goldsmith-plan/1" and faults(again, study) == ()


@settings(max_examples=30)
@given(worlds(most=120), st.integers(0, 59))
def test_opensesame_57_a_plan_read_back_is_the_same_so_that_a_sitting_goes_on_at_any_block(world: World,
                                                                                          number: int) -> None:
    made: Design = design(world.study, world.items)
    plan = a_plan(world.study, made, list_no=number % len(made.lists), number=number, seed=number)
    again = Plan.from_json(canonical.loads(canonical.dumps(plan.to_json())))
    assert again == plan == a_plan(world.study, made, list_no=number % len(made.lists), number=number, seed=number)
    assert [again.trial(block, place) for block, place, _ in plan.each()] == [trial for _, _, trial in plan.each()]
