"""All tables of the first schema. Written by annotation.store.migrations.write; see there."""
# ruff: noqa: E501

import sqlalchemy as sa
from alembic import op

from annotation.store.triggers import guard
from annotation.store.types import Id, Json, When

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table('device', sa.Column('id', Id(), nullable=False), sa.Column('name', sa.Text(), nullable=False), sa.Column('os', sa.Text(), nullable=False),
        sa.Column('first_seen', When(), nullable=False), sa.PrimaryKeyConstraint('id', name=op.f('pk_device')))
    op.create_table('item', sa.Column('id', Id(), nullable=False), sa.Column('key', sa.Text(), nullable=False), sa.Column('key_fold', sa.Text(), nullable=False),
        sa.Column('cluster', sa.Text(), nullable=True), sa.Column('kind', sa.Text(), nullable=False), sa.Column('priority', sa.Integer(), nullable=False),
        sa.Column('rnd', sa.BigInteger(), nullable=False), sa.Column('current', Id(), nullable=False), sa.Column('state', sa.Text(), nullable=False),
        sa.Column('source_file', sa.Text(), nullable=True), sa.Column('source_row', sa.BigInteger(), nullable=True),
        sa.CheckConstraint("kind = 'item' or kind = 'gold_check' or kind = 'attention' or kind = 'practice' or kind = 'training'", name=op.f('ck_item_kind')),
        sa.CheckConstraint("state = 'active' or state = 'stale' or state = 'withdrawn'", name=op.f('ck_item_state')), sa.PrimaryKeyConstraint('id', name=op.f('pk_item')),
        sa.UniqueConstraint('key', name=op.f('uq_item_key')), sa.UniqueConstraint('key_fold', name=op.f('uq_item_key_fold')))
    op.create_table('media', sa.Column('sha256', sa.Text(), nullable=False), sa.Column('source_sha256', sa.Text(), nullable=False), sa.Column('mime', sa.Text(), nullable=False),
        sa.Column('bytes', sa.BigInteger(), nullable=False), sa.Column('width', sa.Integer(), nullable=True), sa.Column('height', sa.Integer(), nullable=True),
        sa.Column('duration_ms', sa.BigInteger(), nullable=True), sa.Column('licence', sa.Text(), nullable=True), sa.Column('source', sa.Text(), nullable=True),
        sa.Column('removed_json', Json(), nullable=True), sa.PrimaryKeyConstraint('sha256', name=op.f('pk_media')))
    op.create_table('meta', sa.Column('key', sa.Text(), nullable=False), sa.Column('value', sa.Text(), nullable=False), sa.PrimaryKeyConstraint('key', name=op.f('pk_meta')))
    op.create_table('person', sa.Column('id', Id(), nullable=False), sa.Column('handle', sa.Text(), nullable=False), sa.Column('name', sa.Text(), nullable=False),
        sa.Column('email', sa.Text(), nullable=False), sa.Column('login', sa.Text(), nullable=True), sa.Column('kind', sa.Text(), nullable=False),
        sa.Column('active', sa.Boolean(), nullable=False), sa.Column('erased_at', When(), nullable=True),
        sa.CheckConstraint("kind = 'human' or kind = 'machine'", name=op.f('ck_person_kind')), sa.PrimaryKeyConstraint('id', name=op.f('pk_person')),
        sa.UniqueConstraint('handle', name=op.f('uq_person_handle')), sa.UniqueConstraint('login', name=op.f('uq_person_login')))
    op.create_table('recipe', sa.Column('id', sa.Text(), nullable=False), sa.Column('name', sa.Text(), nullable=False), sa.Column('text', sa.Text(), nullable=False),
        sa.Column('at', When(), nullable=False), sa.PrimaryKeyConstraint('id', name=op.f('pk_recipe')))
    op.create_table('round', sa.Column('id', Id(), nullable=False), sa.Column('name', sa.Text(), nullable=False), sa.Column('kind', sa.Text(), nullable=False),
        sa.Column('at', When(), nullable=False),
        sa.CheckConstraint("kind = 'training' or kind = 'pilot' or kind = 'main' or kind = 'recheck' or kind = 'baseline'", name=op.f('ck_round_kind')),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_round')), sa.UniqueConstraint('name', name=op.f('uq_round_name')))
    op.create_table('adjudication', sa.Column('id', Id(), nullable=False), sa.Column('item', Id(), nullable=False), sa.Column('element', sa.Text(), nullable=False),
        sa.Column('question', sa.Text(), nullable=False), sa.Column('by', Id(), nullable=False), sa.Column('value_json', Json(), nullable=True),
        sa.Column('reason', sa.Text(), nullable=False), sa.Column('inputs_json', Json(), nullable=False), sa.Column('second_of', Id(), nullable=True),
        sa.Column('cancels', Id(), nullable=True), sa.Column('at', When(), nullable=False), sa.ForeignKeyConstraint(['by'], ['person.id'], name=op.f('fk_adjudication_by')),
        sa.ForeignKeyConstraint(['item'], ['item.id'], name=op.f('fk_adjudication_item')), sa.PrimaryKeyConstraint('id', name=op.f('pk_adjudication')))
    op.create_index(op.f('ix_adjudication_item_question'), 'adjudication', ['item', 'question'], unique=False)
    op.create_table('assignment', sa.Column('id', Id(), nullable=False), sa.Column('item', Id(), nullable=False), sa.Column('stage', sa.Text(), nullable=False),
        sa.Column('round', Id(), nullable=False), sa.Column('person', Id(), nullable=False), sa.Column('only', sa.Boolean(), nullable=False), sa.Column('by', Id(), nullable=False),
        sa.Column('at', When(), nullable=False), sa.Column('cancels', Id(), nullable=True), sa.ForeignKeyConstraint(['by'], ['person.id'], name=op.f('fk_assignment_by')),
        sa.ForeignKeyConstraint(['item'], ['item.id'], name=op.f('fk_assignment_item')), sa.ForeignKeyConstraint(['person'], ['person.id'], name=op.f('fk_assignment_person')),
        sa.ForeignKeyConstraint(['round'], ['round.id'], name=op.f('fk_assignment_round')), sa.PrimaryKeyConstraint('id', name=op.f('pk_assignment')))
    op.create_index(op.f('ix_assignment_item_stage_person'), 'assignment', ['item', 'stage', 'person'], unique=False)
    op.create_index(op.f('ix_assignment_person_stage_item'), 'assignment', ['person', 'stage', 'item'], unique=False)
    op.create_table('attestation', sa.Column('id', Id(), nullable=False), sa.Column('person', Id(), nullable=False), sa.Column('kind', sa.Text(), nullable=False),
        sa.Column('value_json', Json(), nullable=False), sa.Column('at', When(), nullable=False),
        sa.ForeignKeyConstraint(['person'], ['person.id'], name=op.f('fk_attestation_person')), sa.PrimaryKeyConstraint('id', name=op.f('pk_attestation')))
    op.create_table('event', sa.Column('device', Id(), nullable=False), sa.Column('seq', sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column('at', When(), nullable=False), sa.Column('person', Id(), nullable=True), sa.Column('verb', sa.Text(), nullable=False),
        sa.Column('ids_json', Json(), nullable=False), sa.Column('payload_sha256', sa.Text(), nullable=False), sa.Column('prev_hash', sa.Text(), nullable=False),
        sa.Column('hash', sa.Text(), nullable=False), sa.ForeignKeyConstraint(['device'], ['device.id'], name=op.f('fk_event_device')),
        sa.ForeignKeyConstraint(['person'], ['person.id'], name=op.f('fk_event_person')), sa.PrimaryKeyConstraint('device', 'seq', name=op.f('pk_event')))
    op.create_index('ix_event_reveal', 'event', ['person', 'payload_sha256'], unique=False, sqlite_where=sa.text("verb = 'reveal'"), postgresql_where=sa.text("verb = 'reveal'"))
    op.create_table('flag', sa.Column('id', Id(), nullable=False), sa.Column('item', Id(), nullable=False), sa.Column('person', Id(), nullable=False),
        sa.Column('text', sa.Text(), nullable=False), sa.Column('cancels', Id(), nullable=True), sa.Column('at', When(), nullable=False),
        sa.ForeignKeyConstraint(['item'], ['item.id'], name=op.f('fk_flag_item')), sa.ForeignKeyConstraint(['person'], ['person.id'], name=op.f('fk_flag_person')),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_flag')))
    op.create_index(op.f('ix_flag_item'), 'flag', ['item'], unique=False)
    op.create_table('gold', sa.Column('item', Id(), nullable=False), sa.Column('element', sa.Text(), nullable=False), sa.Column('question', sa.Text(), nullable=False),
        sa.Column('value_json', Json(), nullable=False), sa.Column('rule', sa.Text(), nullable=False), sa.Column('n', sa.Integer(), nullable=False),
        sa.Column('agreement_json', Json(), nullable=True), sa.Column('from_json', Json(), nullable=False), sa.Column('locked', sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(['item'], ['item.id'], name=op.f('fk_gold_item')), sa.PrimaryKeyConstraint('item', 'element', 'question', name=op.f('pk_gold')))
    op.create_index(op.f('ix_gold_question'), 'gold', ['question'], unique=False)
    op.create_table('guideline_seen', sa.Column('person', Id(), nullable=False), sa.Column('guideline_hash', sa.Text(), nullable=False), sa.Column('at', When(), nullable=False),
        sa.ForeignKeyConstraint(['person'], ['person.id'], name=op.f('fk_guideline_seen_person')),
        sa.PrimaryKeyConstraint('person', 'guideline_hash', name=op.f('pk_guideline_seen')))
    op.create_table('import_run', sa.Column('id', Id(), nullable=False), sa.Column('file', sa.Text(), nullable=False), sa.Column('sha256', sa.Text(), nullable=False),
        sa.Column('recipe', sa.Text(), nullable=True), sa.Column('counts_json', Json(), nullable=False), sa.Column('refused_json', Json(), nullable=False),
        sa.Column('at', When(), nullable=False), sa.Column('by', Id(), nullable=False), sa.ForeignKeyConstraint(['by'], ['person.id'], name=op.f('fk_import_run_by')),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_import_run')))
    op.create_table('item_tag', sa.Column('item', Id(), nullable=False), sa.Column('field', sa.Text(), nullable=False), sa.Column('value', sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(['item'], ['item.id'], name=op.f('fk_item_tag_item')), sa.PrimaryKeyConstraint('item', 'field', 'value', name=op.f('pk_item_tag')))
    op.create_index(op.f('ix_item_tag_field_value_item'), 'item_tag', ['field', 'value', 'item'], unique=False)
    op.create_table('item_version', sa.Column('id', Id(), nullable=False), sa.Column('item', Id(), nullable=False), sa.Column('rev', sa.Integer(), nullable=False),
        sa.Column('fields_json', Json(), nullable=False), sa.Column('sha256', sa.Text(), nullable=False), sa.Column('at', When(), nullable=False),
        sa.Column('by', Id(), nullable=False), sa.Column('written_in', Id(), nullable=True), sa.ForeignKeyConstraint(['by'], ['person.id'], name=op.f('fk_item_version_by')),
        sa.ForeignKeyConstraint(['item'], ['item.id'], name=op.f('fk_item_version_item')), sa.PrimaryKeyConstraint('id', name=op.f('pk_item_version')),
        sa.UniqueConstraint('item', 'rev', name=op.f('uq_item_version_item_rev')))
    op.create_table('media_blob', sa.Column('sha256', sa.Text(), nullable=False), sa.Column('part', sa.Integer(), nullable=False),
        sa.Column('data', sa.LargeBinary(), nullable=False), sa.ForeignKeyConstraint(['sha256'], ['media.sha256'], name=op.f('fk_media_blob_sha256')),
        sa.PrimaryKeyConstraint('sha256', 'part', name=op.f('pk_media_blob')))
    op.create_table('named_sample', sa.Column('id', Id(), nullable=False), sa.Column('name', sa.Text(), nullable=False), sa.Column('seed', sa.BigInteger(), nullable=False),
        sa.Column('rule_json', Json(), nullable=False), sa.Column('items_json', Json(), nullable=False), sa.Column('by', Id(), nullable=False),
        sa.Column('at', When(), nullable=False), sa.ForeignKeyConstraint(['by'], ['person.id'], name=op.f('fk_named_sample_by')),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_named_sample')), sa.UniqueConstraint('name', name=op.f('uq_named_sample_name')))
    op.create_table('pack', sa.Column('id', Id(), nullable=False), sa.Column('person', Id(), nullable=False), sa.Column('kind', sa.Text(), nullable=False),
        sa.Column('task_ids_json', Json(), nullable=False), sa.Column('sha256', sa.Text(), nullable=False), sa.Column('at', When(), nullable=False),
        sa.ForeignKeyConstraint(['person'], ['person.id'], name=op.f('fk_pack_person')), sa.PrimaryKeyConstraint('id', name=op.f('pk_pack')))
    op.create_table('person_role', sa.Column('person', Id(), nullable=False), sa.Column('role', sa.Text(), nullable=False), sa.Column('at', When(), nullable=False),
        sa.ForeignKeyConstraint(['person'], ['person.id'], name=op.f('fk_person_role_person')), sa.PrimaryKeyConstraint('person', 'role', name=op.f('pk_person_role')))
    op.create_table('protocol_version', sa.Column('hash', sa.Text(), nullable=False), sa.Column('form_hash', sa.Text(), nullable=False), sa.Column('id', sa.Text(), nullable=False),
        sa.Column('version', sa.BigInteger(), nullable=False), sa.Column('text', sa.Text(), nullable=False), sa.Column('at', When(), nullable=False),
        sa.Column('by', Id(), nullable=False), sa.ForeignKeyConstraint(['by'], ['person.id'], name=op.f('fk_protocol_version_by')),
        sa.PrimaryKeyConstraint('hash', name=op.f('pk_protocol_version')))
    op.create_table('query', sa.Column('id', Id(), nullable=False), sa.Column('item', Id(), nullable=False), sa.Column('question', sa.Text(), nullable=True),
        sa.Column('by', Id(), nullable=False), sa.Column('at', When(), nullable=False), sa.ForeignKeyConstraint(['by'], ['person.id'], name=op.f('fk_query_by')),
        sa.ForeignKeyConstraint(['item'], ['item.id'], name=op.f('fk_query_item')), sa.PrimaryKeyConstraint('id', name=op.f('pk_query')))
    op.create_index(op.f('ix_query_item'), 'query', ['item'], unique=False)
    op.create_table('retraction', sa.Column('id', Id(), nullable=False), sa.Column('item', Id(), nullable=True), sa.Column('person', Id(), nullable=True),
        sa.Column('reason', sa.Text(), nullable=False), sa.Column('by', Id(), nullable=False), sa.Column('at', When(), nullable=False),
        sa.ForeignKeyConstraint(['by'], ['person.id'], name=op.f('fk_retraction_by')), sa.ForeignKeyConstraint(['item'], ['item.id'], name=op.f('fk_retraction_item')),
        sa.ForeignKeyConstraint(['person'], ['person.id'], name=op.f('fk_retraction_person')), sa.PrimaryKeyConstraint('id', name=op.f('pk_retraction')))
    op.create_table('task_cursor', sa.Column('person', Id(), nullable=False), sa.Column('stage', sa.Text(), nullable=False), sa.Column('order_key', sa.Integer(), nullable=False),
        sa.Column('rnd', sa.BigInteger(), nullable=False), sa.Column('item', Id(), nullable=False), sa.Column('behind_json', Json(), nullable=False),
        sa.ForeignKeyConstraint(['person'], ['person.id'], name=op.f('fk_task_cursor_person')), sa.PrimaryKeyConstraint('person', 'stage', name=op.f('pk_task_cursor')))
    op.create_table('waiver', sa.Column('id', Id(), nullable=False), sa.Column('finding', sa.Text(), nullable=False), sa.Column('items_json', Json(), nullable=False),
        sa.Column('reason', sa.Text(), nullable=False), sa.Column('by', Id(), nullable=False), sa.Column('cancels', Id(), nullable=True), sa.Column('at', When(), nullable=False),
        sa.ForeignKeyConstraint(['by'], ['person.id'], name=op.f('fk_waiver_by')), sa.ForeignKeyConstraint(['cancels'], ['waiver.id'], name=op.f('fk_waiver_cancels')),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_waiver')))
    op.create_table('item_media', sa.Column('item_version', Id(), nullable=False), sa.Column('field', sa.Text(), nullable=False), sa.Column('element', sa.Text(), nullable=False),
        sa.Column('sha256', sa.Text(), nullable=True), sa.Column('path', sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(['item_version'], ['item_version.id'], name=op.f('fk_item_media_item_version')),
        sa.ForeignKeyConstraint(['sha256'], ['media.sha256'], name=op.f('fk_item_media_sha256')),
        sa.PrimaryKeyConstraint('item_version', 'field', 'element', name=op.f('pk_item_media')))
    op.create_table('item_secret', sa.Column('item_version', Id(), nullable=False), sa.Column('fields_json', Json(), nullable=False),
        sa.Column('expected_json', Json(), nullable=True), sa.ForeignKeyConstraint(['item_version'], ['item_version.id'], name=op.f('fk_item_secret_item_version')),
        sa.PrimaryKeyConstraint('item_version', name=op.f('pk_item_secret')))
    op.create_table('item_stage', sa.Column('item', Id(), nullable=False), sa.Column('stage', sa.Text(), nullable=False), sa.Column('round', Id(), nullable=False),
        sa.Column('protocol', sa.Text(), nullable=False), sa.Column('want', sa.Integer(), nullable=False), sa.Column('open', sa.Integer(), nullable=False),
        sa.Column('state', sa.Text(), nullable=False), sa.Column('order_key', sa.Integer(), nullable=False), sa.Column('rnd', sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state = 'waiting' or state = 'open' or state = 'done' or state = 'locked'", name=op.f('ck_item_stage_state')),
        sa.ForeignKeyConstraint(['item'], ['item.id'], name=op.f('fk_item_stage_item')),
        sa.ForeignKeyConstraint(['protocol'], ['protocol_version.hash'], name=op.f('fk_item_stage_protocol')),
        sa.ForeignKeyConstraint(['round'], ['round.id'], name=op.f('fk_item_stage_round')), sa.PrimaryKeyConstraint('item', 'stage', 'round', name=op.f('pk_item_stage')))
    op.create_index('ix_item_stage_open', 'item_stage', ['stage', 'order_key', 'rnd', 'item', 'round'], unique=False, sqlite_where=sa.text('open > 0'), postgresql_where=sa.text('open > 0'))
    op.create_table('protocol_change', sa.Column('id', Id(), nullable=False), sa.Column('from_hash', sa.Text(), nullable=False), sa.Column('to_hash', sa.Text(), nullable=False),
        sa.Column('map_json', Json(), nullable=False), sa.Column('at', When(), nullable=False), sa.Column('by', Id(), nullable=False),
        sa.ForeignKeyConstraint(['by'], ['person.id'], name=op.f('fk_protocol_change_by')),
        sa.ForeignKeyConstraint(['from_hash'], ['protocol_version.hash'], name=op.f('fk_protocol_change_from_hash')),
        sa.ForeignKeyConstraint(['to_hash'], ['protocol_version.hash'], name=op.f('fk_protocol_change_to_hash')), sa.PrimaryKeyConstraint('id', name=op.f('pk_protocol_change')))
    op.create_table('query_message', sa.Column('id', Id(), nullable=False), sa.Column('query', Id(), nullable=False), sa.Column('by', Id(), nullable=False),
        sa.Column('text', sa.Text(), nullable=False), sa.Column('closes', sa.Boolean(), nullable=False), sa.Column('at', When(), nullable=False),
        sa.ForeignKeyConstraint(['by'], ['person.id'], name=op.f('fk_query_message_by')), sa.ForeignKeyConstraint(['query'], ['query.id'], name=op.f('fk_query_message_query')),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_query_message')))
    op.create_index(op.f('ix_query_message_query'), 'query_message', ['query'], unique=False)
    op.create_table('release', sa.Column('id', Id(), nullable=False), sa.Column('version', sa.Text(), nullable=False), sa.Column('kind', sa.Text(), nullable=False),
        sa.Column('protocol', sa.Text(), nullable=False), sa.Column('manifest_sha256', sa.Text(), nullable=False), sa.Column('salt', sa.Text(), nullable=False),
        sa.Column('facts_json', Json(), nullable=False), sa.Column('created', When(), nullable=False), sa.Column('by', Id(), nullable=False),
        sa.Column('note', sa.Text(), nullable=False), sa.CheckConstraint("kind = 'draft' or kind = 'final'", name=op.f('ck_release_kind')),
        sa.ForeignKeyConstraint(['by'], ['person.id'], name=op.f('fk_release_by')),
        sa.ForeignKeyConstraint(['protocol'], ['protocol_version.hash'], name=op.f('fk_release_protocol')), sa.PrimaryKeyConstraint('id', name=op.f('pk_release')),
        sa.UniqueConstraint('version', name=op.f('uq_release_version')))
    op.create_table('sign_off', sa.Column('id', Id(), nullable=False), sa.Column('item_version', Id(), nullable=False), sa.Column('person', Id(), nullable=False),
        sa.Column('kind', sa.Text(), nullable=False), sa.Column('meaning', sa.Text(), nullable=False), sa.Column('shown_sha256', sa.Text(), nullable=False),
        sa.Column('gold_sha256', sa.Text(), nullable=False), sa.Column('method', sa.Text(), nullable=False), sa.Column('cancels', Id(), nullable=True),
        sa.Column('reason', sa.Text(), nullable=False), sa.Column('at', When(), nullable=False),
        sa.CheckConstraint("kind = 'sign' or kind = 'unsign'", name=op.f('ck_sign_off_kind')),
        sa.ForeignKeyConstraint(['item_version'], ['item_version.id'], name=op.f('fk_sign_off_item_version')),
        sa.ForeignKeyConstraint(['person'], ['person.id'], name=op.f('fk_sign_off_person')), sa.PrimaryKeyConstraint('id', name=op.f('pk_sign_off')))
    op.create_index(op.f('ix_sign_off_item_version'), 'sign_off', ['item_version'], unique=False)
    op.create_table('suggestion', sa.Column('id', Id(), nullable=False), sa.Column('item_version', Id(), nullable=False), sa.Column('question', sa.Text(), nullable=False),
        sa.Column('element', sa.Text(), nullable=False), sa.Column('value_json', Json(), nullable=False), sa.Column('score', sa.Float(), nullable=True),
        sa.Column('source', sa.Text(), nullable=False), sa.Column('at', When(), nullable=False),
        sa.ForeignKeyConstraint(['item_version'], ['item_version.id'], name=op.f('fk_suggestion_item_version')), sa.PrimaryKeyConstraint('id', name=op.f('pk_suggestion')))
    op.create_table('task', sa.Column('id', Id(), nullable=False), sa.Column('item', Id(), nullable=False), sa.Column('item_version', Id(), nullable=False),
        sa.Column('stage', sa.Text(), nullable=False), sa.Column('round', Id(), nullable=False), sa.Column('slot', sa.Integer(), nullable=False),
        sa.Column('person', Id(), nullable=False), sa.Column('protocol', sa.Text(), nullable=False), sa.Column('form', sa.Text(), nullable=True),
        sa.Column('state', sa.Text(), nullable=False), sa.Column('order_json', Json(), nullable=True), sa.Column('repeat_of', Id(), nullable=True),
        sa.Column('repeat_no', sa.Integer(), nullable=False), sa.Column('lease_until', When(), nullable=True), sa.Column('active_ms', sa.BigInteger(), nullable=False),
        sa.Column('wall_ms', sa.BigInteger(), nullable=False), sa.Column('gaps_json', Json(), nullable=True), sa.Column('at', When(), nullable=False),
        sa.CheckConstraint("state = 'claimed' or state = 'submitted' or state = 'skipped' or state = 'expired' or state = 'withdrawn'", name=op.f('ck_task_state')),
        sa.ForeignKeyConstraint(['item'], ['item.id'], name=op.f('fk_task_item')), sa.ForeignKeyConstraint(['item_version'], ['item_version.id'], name=op.f('fk_task_item_version')),
        sa.ForeignKeyConstraint(['person'], ['person.id'], name=op.f('fk_task_person')),
        sa.ForeignKeyConstraint(['protocol'], ['protocol_version.hash'], name=op.f('fk_task_protocol')),
        sa.ForeignKeyConstraint(['round'], ['round.id'], name=op.f('fk_task_round')), sa.PrimaryKeyConstraint('id', name=op.f('pk_task')))
    op.create_index('ix_task_item', 'task', ['item', 'person', 'stage'], unique=False)
    op.create_index('ix_task_lease', 'task', ['lease_until'], unique=False, sqlite_where=sa.text("state = 'claimed'"), postgresql_where=sa.text("state = 'claimed'"))
    op.create_index('ix_task_person_state', 'task', ['person', 'stage', 'state', 'round', 'item'], unique=False)
    op.create_index('uq_task_person', 'task', ['item', 'stage', 'round', 'person', 'repeat_no'], unique=True, sqlite_where=sa.text("state in ('claimed','submitted')"), postgresql_where=sa.text("state in ('claimed','submitted')"))
    op.create_index('uq_task_slot', 'task', ['item', 'stage', 'round', 'slot'], unique=True, sqlite_where=sa.text("state in ('claimed','submitted')"), postgresql_where=sa.text("state in ('claimed','submitted')"))
    op.create_table('draft', sa.Column('task', Id(), nullable=False), sa.Column('answers_json', Json(), nullable=False), sa.Column('at', When(), nullable=False),
        sa.ForeignKeyConstraint(['task'], ['task.id'], name=op.f('fk_draft_task')), sa.PrimaryKeyConstraint('task', name=op.f('pk_draft')))
    op.create_table('erratum', sa.Column('id', Id(), nullable=False), sa.Column('from_release', Id(), nullable=False), sa.Column('item', Id(), nullable=False),
        sa.Column('why', sa.Text(), nullable=False), sa.Column('by', Id(), nullable=False), sa.Column('cancels', Id(), nullable=True), sa.Column('at', When(), nullable=False),
        sa.ForeignKeyConstraint(['by'], ['person.id'], name=op.f('fk_erratum_by')), sa.ForeignKeyConstraint(['cancels'], ['erratum.id'], name=op.f('fk_erratum_cancels')),
        sa.ForeignKeyConstraint(['from_release'], ['release.id'], name=op.f('fk_erratum_from_release')),
        sa.ForeignKeyConstraint(['item'], ['item.id'], name=op.f('fk_erratum_item')), sa.PrimaryKeyConstraint('id', name=op.f('pk_erratum')))
    op.create_index(op.f('ix_erratum_item'), 'erratum', ['item'], unique=False)
    op.create_table('release_gold', sa.Column('release', Id(), nullable=False), sa.Column('item_version', Id(), nullable=False), sa.Column('element', sa.Text(), nullable=False),
        sa.Column('question', sa.Text(), nullable=False), sa.Column('value_json', Json(), nullable=False), sa.Column('about_json', Json(), nullable=False),
        sa.Column('split', sa.Text(), nullable=False), sa.Column('public_id', sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(['item_version'], ['item_version.id'], name=op.f('fk_release_gold_item_version')),
        sa.ForeignKeyConstraint(['release'], ['release.id'], name=op.f('fk_release_gold_release')),
        sa.PrimaryKeyConstraint('release', 'item_version', 'element', 'question', name=op.f('pk_release_gold')))
    op.create_index(op.f('ix_release_gold_public_id'), 'release_gold', ['public_id'], unique=False)
    op.create_table('release_item', sa.Column('release', Id(), nullable=False), sa.Column('item_version', Id(), nullable=False), sa.Column('public_id', sa.Text(), nullable=False),
        sa.Column('split', sa.Text(), nullable=False), sa.Column('cluster', sa.Text(), nullable=True), sa.Column('slices_json', Json(), nullable=False),
        sa.Column('media_json', Json(), nullable=False), sa.Column('sources_json', Json(), nullable=False),
        sa.ForeignKeyConstraint(['item_version'], ['item_version.id'], name=op.f('fk_release_item_item_version')),
        sa.ForeignKeyConstraint(['release'], ['release.id'], name=op.f('fk_release_item_release')), sa.PrimaryKeyConstraint('release', 'item_version', name=op.f('pk_release_item')),
        sa.UniqueConstraint('release', 'public_id', name=op.f('uq_release_item_release_public_id')))
    op.create_index(op.f('ix_release_item_item_version'), 'release_item', ['item_version'], unique=False)
    op.create_table('release_person', sa.Column('release', Id(), nullable=False), sa.Column('person', Id(), nullable=False), sa.Column('pseudonym', sa.Text(), nullable=False),
        sa.Column('facts_json', Json(), nullable=False), sa.ForeignKeyConstraint(['person'], ['person.id'], name=op.f('fk_release_person_person')),
        sa.ForeignKeyConstraint(['release'], ['release.id'], name=op.f('fk_release_person_release')), sa.PrimaryKeyConstraint('release', 'person', name=op.f('pk_release_person')),
        sa.UniqueConstraint('release', 'pseudonym', name=op.f('uq_release_person_release_pseudonym')))
    op.create_table('revision', sa.Column('id', Id(), nullable=False), sa.Column('task', Id(), nullable=False), sa.Column('item_version', Id(), nullable=False),
        sa.Column('person', Id(), nullable=False), sa.Column('stage', sa.Text(), nullable=False), sa.Column('protocol', sa.Text(), nullable=False),
        sa.Column('guideline_hash', sa.Text(), nullable=False), sa.Column('answers_json', Json(), nullable=False), sa.Column('answers_sha256', sa.Text(), nullable=False),
        sa.Column('shown', sa.Text(), nullable=False), sa.Column('basis_json', Json(), nullable=True), sa.Column('after_reveal', sa.Boolean(), nullable=False),
        sa.Column('supersedes', Id(), nullable=True), sa.Column('active_ms', sa.BigInteger(), nullable=False), sa.Column('wall_ms', sa.BigInteger(), nullable=False),
        sa.Column('device', Id(), nullable=False), sa.Column('app_version', sa.Text(), nullable=False), sa.Column('at', When(), nullable=False),
        sa.CheckConstraint("shown = 'nothing' or shown = 'standing' or shown = 'all'", name=op.f('ck_revision_shown')),
        sa.ForeignKeyConstraint(['device'], ['device.id'], name=op.f('fk_revision_device')),
        sa.ForeignKeyConstraint(['item_version'], ['item_version.id'], name=op.f('fk_revision_item_version')),
        sa.ForeignKeyConstraint(['person'], ['person.id'], name=op.f('fk_revision_person')),
        sa.ForeignKeyConstraint(['protocol'], ['protocol_version.hash'], name=op.f('fk_revision_protocol')),
        sa.ForeignKeyConstraint(['task'], ['task.id'], name=op.f('fk_revision_task')), sa.PrimaryKeyConstraint('id', name=op.f('pk_revision')))
    op.create_index(op.f('ix_revision_person_at'), 'revision', ['person', 'at'], unique=False)
    op.create_index(op.f('ix_revision_task'), 'revision', ['task'], unique=False)
    op.create_table('skip', sa.Column('id', Id(), nullable=False), sa.Column('task', Id(), nullable=False), sa.Column('person', Id(), nullable=False),
        sa.Column('reason', sa.Text(), nullable=False), sa.Column('at', When(), nullable=False), sa.ForeignKeyConstraint(['person'], ['person.id'], name=op.f('fk_skip_person')),
        sa.ForeignKeyConstraint(['task'], ['task.id'], name=op.f('fk_skip_task')), sa.PrimaryKeyConstraint('id', name=op.f('pk_skip')))
    op.create_index(op.f('ix_skip_task'), 'skip', ['task'], unique=False)
    op.create_table('study_version', sa.Column('hash', sa.Text(), nullable=False), sa.Column('text', sa.Text(), nullable=False), sa.Column('release', Id(), nullable=True),
        sa.Column('at', When(), nullable=False), sa.ForeignKeyConstraint(['release'], ['release.id'], name=op.f('fk_study_version_release')),
        sa.PrimaryKeyConstraint('hash', name=op.f('pk_study_version')))
    op.create_table('answer', sa.Column('item', Id(), nullable=False), sa.Column('element', sa.Text(), nullable=False), sa.Column('question', sa.Text(), nullable=False),
        sa.Column('stage', sa.Text(), nullable=False), sa.Column('person', Id(), nullable=False), sa.Column('repeat_no', sa.Integer(), nullable=False),
        sa.Column('revision', Id(), nullable=False), sa.Column('form_hash', sa.Text(), nullable=False), sa.Column('value_text', sa.Text(), nullable=True),
        sa.Column('value_num', sa.Float(), nullable=True), sa.Column('na', sa.Boolean(), nullable=False), sa.Column('counts', sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(['item'], ['item.id'], name=op.f('fk_answer_item')), sa.ForeignKeyConstraint(['person'], ['person.id'], name=op.f('fk_answer_person')),
        sa.ForeignKeyConstraint(['revision'], ['revision.id'], name=op.f('fk_answer_revision')),
        sa.PrimaryKeyConstraint('item', 'element', 'question', 'stage', 'person', 'repeat_no', name=op.f('pk_answer')))
    op.create_index(op.f('ix_answer_question_stage_counts_item'), 'answer', ['question', 'stage', 'counts', 'item'], unique=False)
    op.create_index(op.f('ix_answer_revision'), 'answer', ['revision'], unique=False)
    op.create_table('sitting', sa.Column('id', Id(), nullable=False), sa.Column('study', sa.Text(), nullable=False), sa.Column('participant', Id(), nullable=False),
        sa.Column('list_no', sa.Integer(), nullable=False), sa.Column('seed', sa.BigInteger(), nullable=False), sa.Column('plan_json', Json(), nullable=False),
        sa.Column('checks_json', Json(), nullable=True), sa.Column('state', sa.Text(), nullable=False), sa.Column('at', When(), nullable=False),
        sa.ForeignKeyConstraint(['participant'], ['person.id'], name=op.f('fk_sitting_participant')),
        sa.ForeignKeyConstraint(['study'], ['study_version.hash'], name=op.f('fk_sitting_study')), sa.PrimaryKeyConstraint('id', name=op.f('pk_sitting')))
    op.create_table('withdrawal', sa.Column('id', Id(), nullable=False), sa.Column('revision', Id(), nullable=False), sa.Column('person', Id(), nullable=False),
        sa.Column('reason', sa.Text(), nullable=False), sa.Column('at', When(), nullable=False),
        sa.ForeignKeyConstraint(['person'], ['person.id'], name=op.f('fk_withdrawal_person')),
        sa.ForeignKeyConstraint(['revision'], ['revision.id'], name=op.f('fk_withdrawal_revision')), sa.PrimaryKeyConstraint('id', name=op.f('pk_withdrawal')),
        sa.UniqueConstraint('revision', name=op.f('uq_withdrawal_revision')))
    op.create_table('sitting_event', sa.Column('sitting', Id(), nullable=False), sa.Column('seq', sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column('kind', sa.Text(), nullable=False), sa.Column('at_us', sa.BigInteger(), nullable=False), sa.Column('data_json', Json(), nullable=True),
        sa.ForeignKeyConstraint(['sitting'], ['sitting.id'], name=op.f('fk_sitting_event_sitting')), sa.PrimaryKeyConstraint('sitting', 'seq', name=op.f('pk_sitting_event')))
    op.create_table('trial', sa.Column('id', Id(), nullable=False), sa.Column('sitting', Id(), nullable=False), sa.Column('block', sa.Integer(), nullable=False),
        sa.Column('position', sa.Integer(), nullable=False), sa.Column('item_version', Id(), nullable=False), sa.Column('condition', sa.Text(), nullable=False),
        sa.Column('order_json', Json(), nullable=True), sa.Column('response_json', Json(), nullable=True), sa.Column('outcome', sa.Text(), nullable=False),
        sa.Column('onset_us', sa.BigInteger(), nullable=True), sa.Column('rt_us', sa.BigInteger(), nullable=True), sa.Column('rt_receipt_us', sa.BigInteger(), nullable=True),
        sa.Column('quality_json', Json(), nullable=True), sa.Column('at', When(), nullable=False),
        sa.ForeignKeyConstraint(['item_version'], ['item_version.id'], name=op.f('fk_trial_item_version')),
        sa.ForeignKeyConstraint(['sitting'], ['sitting.id'], name=op.f('fk_trial_sitting')), sa.PrimaryKeyConstraint('id', name=op.f('pk_trial')))
    op.create_index(op.f('ix_trial_sitting'), 'trial', ['sitting'], unique=False)
    guard(op.get_bind())
