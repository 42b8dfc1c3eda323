import { COMMIT_IDS } from './migration-commit-ids.ts';

/**
 * The tables of crawls in a PostgreSQL database, and the functions that change them. All are in the schema `forager`. Each migration is applied once, in
 * its order, in one transaction; a later version of Forager adds migrations and never changes one.
 *
 * - `crawl`: its manifest, and the counters that give every commit, lesson and visit its place. A commit locks its row, so commits of one crawl are in one
 *   order.
 * - `partition`: who holds it, until when, and under which epoch. A commit with an older epoch is refused (fencing).
 * - `log`, `log_text`: the steps of each commit, by partition. `corpus`, `corpus_size`: the folders of pages. `inbox`: links that wait for their partition. `payload`: the page that has a payload.
 *   `address`: IP addresses of the hosts of partitions. `address_turn`: addresses of hosts of several workers, which ask one after the other.
 *   `lesson`: the lessons of the link scorer, in the order of all workers. Each crawl has its own table of these, so that dropping a crawl is quick.
 */

/**
 * A function that looks rows up by their keys. Its plans are kept, and those that were made for small tables would read whole tables later: neither scans
 * nor joins of whole tables may be in them. For the latter, each row is looked up in a `lateral` of one row.
 */
const BY_KEY = 'set enable_seqscan = off';

/** The rows that each commit changes are few and hot: they are vacuumed by their number, and leave room in their pages (heap-only tuples). */
const HOT = 'with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500)';

export const MIGRATIONS: readonly string[] = [
  `
create table forager.crawl (
  id bigint generated always as identity primary key,
  name text not null unique,
  manifest text not null,
  partitions integer not null check (partitions between 1 and 4096),
  begun_at timestamptz not null default now(),
  state text not null default 'running' check (state in ('running', 'paused', 'stopping')),
  commits bigint not null default 0,
  lessons bigint not null default 0,
  visited bigint not null default 0,
  -- How often a model was activated, and how often a file was replaced.
  models integer not null default 0,
  notices integer not null default 0,
  -- The last look of any worker; and the last time when none could look, since the database was gone.
  looked_at timestamptz not null default now(),
  away_from timestamptz not null default '-infinity',
  back_at timestamptz not null default '-infinity'
) ${HOT};

create table forager.crawl_file (
  crawl bigint not null references forager.crawl on delete cascade,
  path text not null,
  body bytea not null,
  primary key (crawl, path)
);

-- Where the pages of a worker are: a folder of a machine.
create table forager.corpus (
  crawl bigint not null references forager.crawl on delete cascade,
  id uuid not null,
  host text not null,
  path text not null,
  primary key (crawl, id)
);

create table forager.worker (
  id bigint generated always as identity primary key,
  crawl bigint not null references forager.crawl on delete cascade,
  corpus uuid not null,
  name text not null,
  version text not null,
  seen_at timestamptz not null default now(),
  granted bigint not null default 0,
  visits bigint not null default 0,
  -- When it last made a visit, or could not make any.
  moved_at timestamptz not null default now(),
  -- The priority of its best URL, and whether it can use more visits.
  best real,
  wants boolean not null default true,
  idle boolean not null default false,
  gone boolean not null default false,
  -- Its last batch, so that it can be sent again when the answer was lost.
  batch bigint not null default 0,
  batch_commit bigint not null default 0,
  batch_lesson bigint not null default 0
) ${HOT};
create index on forager.worker (crawl);

create table forager.partition (
  crawl bigint not null references forager.crawl on delete cascade,
  no integer not null,
  worker bigint references forager.worker on delete set null,
  epoch bigint not null default 0,
  until timestamptz not null default '-infinity',
  rests_until timestamptz not null default now(),
  primary key (crawl, no)
) ${HOT};

create table forager.address (
  crawl bigint not null references forager.crawl on delete cascade,
  ip text not null,
  partition integer not null,
  primary key (crawl, ip, partition)
);

-- A worker has the turn until it gives it back. Nobody has it before "free_at".
create table forager.address_turn (
  crawl bigint not null references forager.crawl on delete cascade,
  ip text not null,
  no bigint generated always as identity,
  worker bigint,
  free_at timestamptz not null,
  primary key (crawl, ip),
  unique (crawl, no)
) ${HOT};

create table forager.log (
  crawl bigint not null,
  partition integer not null,
  commit bigint not null,
  -- How often a model was activated, when its worker judged.
  models integer not null,
  body bytea not null,
  primary key (crawl, partition, commit)
) partition by list (crawl);

create table forager.log_text (
  crawl bigint not null,
  partition integer not null,
  commit bigint not null,
  body bytea not null,
  primary key (crawl, partition, commit)
) partition by list (crawl);

-- The sizes of the files of a corpus that belong to a commit.
create table forager.corpus_size (
  crawl bigint not null,
  corpus uuid not null,
  commit bigint not null,
  sizes jsonb not null,
  primary key (crawl, corpus, commit)
) partition by list (crawl);

create table forager.inbox (
  crawl bigint not null,
  partition integer not null,
  commit bigint not null,
  place integer not null,
  body bytea not null,
  -- The highest priority of one of the links; null if all are refused.
  best real,
  primary key (crawl, partition, commit, place)
) partition by list (crawl);
create index on forager.inbox (crawl, best desc) where best is not null;

create table forager.payload (
  crawl bigint not null,
  key text not null,
  url text not null,
  primary key (crawl, key)
) partition by list (crawl);

create table forager.lesson (
  crawl bigint not null,
  first bigint not null,
  count integer not null,
  worker bigint not null,
  body bytea not null,
  primary key (crawl, first)
) partition by list (crawl);

-- Begins a crawl of that name, or finds it.
create function forager.begin_crawl(_name text, _manifest text, _partitions integer) returns bigint language plpgsql as $$
declare _id bigint; _table text;
begin
  perform pg_advisory_xact_lock(hashtext('forager.crawl ' || _name));
  select id into _id from forager.crawl where name = _name;
  if found then return _id; end if;
  insert into forager.crawl (name, manifest, partitions) values (_name, _manifest, _partitions) returning id into _id;
  insert into forager.partition (crawl, no) select _id, no from generate_series(0, _partitions - 1) no;
  foreach _table in array array['log', 'log_text', 'corpus_size', 'inbox', 'payload', 'lesson'] loop
    execute format('create table forager.%I partition of forager.%I for values in (%s)', _table || '_' || _id, _table, _id);
  end loop;
  -- Workers have compressed them.
  foreach _table in array array['log', 'log_text', 'inbox', 'lesson'] loop
    execute format('alter table forager.%I alter column body set storage external', _table || '_' || _id);
  end loop;
  execute format('alter table forager.%I set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)', 'inbox_' || _id);
  return _id;
end $$;

create function forager.drop_crawl(_id bigint) returns void language plpgsql as $$
declare _table text;
begin
  -- Waits for the commit that runs.
  perform from forager.crawl where id = _id for update;
  foreach _table in array array['log', 'log_text', 'corpus_size', 'inbox', 'payload', 'lesson'] loop
    execute format('drop table if exists forager.%I', _table || '_' || _id);
  end loop;
  delete from forager.crawl where id = _id;
end $$;

-- A process joins. The process that had its corpus before has ended, since the lock of a crawl directory belongs to one process: its partitions are free at once.
create function forager.join_crawl(_crawl bigint, _corpus uuid, _host text, _path text, _name text, _version text) returns bigint language plpgsql as $$
declare _id bigint;
begin
  perform from forager.crawl where id = _crawl for update;
  if not found then raise exception 'the crawl was dropped' using errcode = 'FG002'; end if;
  -- A crawl that was stopped continues with the first worker that joins it.
  update forager.crawl set state = 'running' where id = _crawl and state = 'stopping'
    and not exists (select from forager.worker where crawl = _crawl and not gone and seen_at > now() - interval '15 s');
  insert into forager.corpus (crawl, id, host, path) values (_crawl, _corpus, _host, _path)
    on conflict (crawl, id) do update set host = _host, path = _path;
  update forager.partition p set worker = null, until = '-infinity'
    from forager.worker w where p.crawl = _crawl and p.worker = w.id and w.corpus = _corpus;
  update forager.worker set gone = true where crawl = _crawl and corpus = _corpus;
  insert into forager.worker (crawl, corpus, name, version) values (_crawl, _corpus, _name, _version) returning id into _id;
  return _id;
end $$;

-- One look at the crawl by one worker, every half second: it lives; its leases are renewed; partitions of the dead are taken; its share of the visits is
-- counted, which is none for a worker that cannot use them. A worker that holds more partitions than its share learns so by the quota and releases some. While
-- the database is gone nobody can renew a lease: then all that had not run out before get their time again.
create function forager.tend(
  _crawl bigint, _worker bigint, _lease interval, _request interval, _claimed bigint, _max_visits bigint, _idle boolean, _takes boolean,
  _best real, _wants boolean, _patience interval
) returns jsonb language plpgsql as $$
declare
  _c forager.crawl; _me forager.worker; _live integer; _rank integer; _quota integer; _mine integer; _others bigint; _left bigint; _wanting integer; _busy integer; _waiting boolean;
  _held jsonb; _elsewhere real; _now timestamptz := now();
begin
  select * into _c from forager.crawl where id = _crawl for update;
  if not found then raise exception 'the crawl was dropped' using errcode = 'FG002'; end if;
  if now() > _c.looked_at + _lease / 3 then
    _c.away_from := _c.looked_at;
    _c.back_at := now();
  end if;
  update forager.crawl set looked_at = now(), away_from = _c.away_from, back_at = _c.back_at where id = _crawl;
  -- By this time leases run out.
  if now() < _c.back_at + _lease then _now := _c.away_from; end if;
  update forager.worker set seen_at = now(), idle = _idle, best = _best, wants = _wants,
    moved_at = case when _wants then moved_at else now() end where id = _worker and not gone returning * into _me;
  if not found then raise exception 'this worker counts as gone' using errcode = 'FG001'; end if;
  select count(*), count(*) filter (where id < _worker) into _live, _rank
    from forager.worker where crawl = _crawl and not gone and seen_at > _now - _lease;
  _quota := _c.partitions / _live + case when _rank < _c.partitions % _live then 1 else 0 end;
  update forager.partition set until = now() + _lease where crawl = _crawl and worker = _worker;
  get diagnostics _mine = row_count;
  if _takes and _mine < _quota then
    with free as (
      select no, until from forager.partition
      where crawl = _crawl and (worker is null or until < _now) order by no limit _quota - _mine for update
    )
    update forager.partition p set worker = _worker, epoch = p.epoch + 1, until = now() + _lease,
      -- Its last worker may have started a request just before.
      rests_until = case when p.worker is null then p.rests_until else greatest(p.rests_until, free.until + _request) end
    from free where p.crawl = _crawl and p.no = free.no;
    if found then
      -- It does not know yet the URLs that wait there.
      update forager.worker set idle = false where id = _worker;
    end if;
  end if;
  -- Visits that other live workers may still make, how many of these can use more, and the best URL of those that make visits if they can.
  select coalesce(sum(granted - visits), 0), count(*) filter (where wants), max(best) filter (where moved_at > now() - _patience)
    into _others, _wanting, _elsewhere
    from forager.worker where crawl = _crawl and id <> _worker and not gone and seen_at > _now - _lease;
  select greatest(_elsewhere, (
    select i.best from forager.inbox i join forager.partition p on p.crawl = i.crawl and p.no = i.partition join forager.worker w on w.id = p.worker
    where i.crawl = _crawl and i.best is not null and w.id <> _worker and not w.gone and w.moved_at > now() - _patience
    order by i.best desc limit 1
  )) into _elsewhere;
  if _max_visits is not null then
    _left := greatest(0, _max_visits - _c.visited - _others - greatest(0, _claimed - _me.visits));
    update forager.worker set granted = _claimed + case when _wants then ceil(_left::numeric / (_wanting + 1)) else 0 end where id = _worker returning * into _me;
  end if;
  select count(*) into _busy from forager.worker where crawl = _crawl and not gone and not idle and seen_at > _now - _lease;
  _waiting := exists (select from forager.inbox where crawl = _crawl)
    or exists (select from forager.partition where crawl = _crawl and (worker is null or until < _now));
  select jsonb_agg(jsonb_build_array(no, epoch, greatest(0, ceil(extract(epoch from rests_until - now()) * 1000))) order by no) into _held
    from forager.partition where crawl = _crawl and worker = _worker;
  return jsonb_build_object(
    'live', _live, 'quota', _quota, 'held', coalesce(_held, '[]'::jsonb), 'state', _c.state, 'commits', _c.commits, 'lessons', _c.lessons,
    'visited', _c.visited, 'granted', _me.granted, 'elsewhere', _elsewhere, 'drained', _busy = 0 and not _waiting,
    'models', _c.models, 'notices', _c.notices,
    'turns', coalesce((select max(no) from forager.address_turn where crawl = _crawl), 0)
  );
end $$;

-- Gives partitions back. Their hosts rest their delay, as their last requests have ended.
create function forager.release(_crawl bigint, _worker bigint, _partitions integer[]) returns void language sql as $$
  update forager.partition set worker = null, until = '-infinity' where crawl = _crawl and worker = _worker and no = any (_partitions);
$$;

create function forager.leave(_crawl bigint, _worker bigint) returns void language plpgsql as $$
begin
  perform from forager.crawl where id = _crawl for update;
  update forager.partition set worker = null, until = '-infinity' where crawl = _crawl and worker = _worker;
  update forager.worker set gone = true where id = _worker;
end $$;

-- One commit of one worker: all or nothing. Sent twice, it happens once. Refused (FG001) unless it still holds each of these partitions under the epoch that it knows.
-- Bodies come as one value, and each by its first byte (from 1) and its length: arrays of values would be sent as text, with two digits a byte.
create function forager.commit_batch(
  _crawl bigint, _worker bigint, _batch bigint, _held integer[], _epochs bigint[], _bytes bytea,
  _partitions integer[], _starts integer[], _lengths integer[],
  _text_partitions integer[], _text_starts integer[], _text_lengths integer[],
  _to integer[], _link_starts integer[], _link_lengths integer[], _bests real[], _read_partitions integer[], _read_commits bigint[], _read_places integer[],
  _lessons bytea, _lesson_count integer, _visits integer, _sizes jsonb, _models integer
) returns table (commit bigint, first_lesson bigint) language plpgsql ${BY_KEY} as $$
declare _commit bigint; _first bigint; _valid integer; _me forager.worker;
begin
  -- The crawl before the worker, as in tend: otherwise one worker would wait for itself.
  perform from forager.crawl c where c.id = _crawl for no key update;
  if not found then raise exception 'the crawl was dropped' using errcode = 'FG002'; end if;
  select * into _me from forager.worker w where w.id = _worker for no key update;
  if _me.batch = _batch then
    return query select _me.batch_commit, _me.batch_lesson;
    return;
  end if;
  update forager.crawl c set commits = c.commits + 1, lessons = c.lessons + _lesson_count, visited = c.visited + _visits
    where c.id = _crawl returning c.commits, c.lessons - _lesson_count + 1 into _commit, _first;
  select count(*) into _valid from (
    select from forager.partition p join unnest(_held, _epochs) h(no, epoch) on p.no = h.no and p.epoch = h.epoch
    where p.crawl = _crawl and p.worker = _worker for share of p
  ) held;
  if _valid <> coalesce(array_length(_held, 1), 0) then
    raise exception 'another worker took over partitions of this one' using errcode = 'FG001';
  end if;
  insert into forager.log (crawl, partition, commit, models, body)
    select _crawl, p, _commit, _models, substring(_bytes from s for n) from unnest(_partitions, _starts, _lengths) r(p, s, n);
  insert into forager.log_text (crawl, partition, commit, body)
    select _crawl, p, _commit, substring(_bytes from s for n) from unnest(_text_partitions, _text_starts, _text_lengths) r(p, s, n);
  insert into forager.inbox (crawl, partition, commit, place, body, best)
    select _crawl, p, _commit, i, substring(_bytes from s for n), best
    from unnest(_to, _link_starts, _link_lengths, _bests) with ordinality r(p, s, n, best, i);
  delete from forager.inbox where crawl = _crawl and ctid = any (array(
    select i.ctid from unnest(_read_partitions, _read_commits, _read_places) r(p, c, place) cross join lateral (
      select l.ctid from forager.inbox l where l.crawl = _crawl and l.partition = r.p and l.commit = r.c and l.place = r.place limit 1) i));
  insert into forager.corpus_size (crawl, corpus, commit, sizes) select _crawl, _me.corpus, _commit, _sizes
    where _sizes is distinct from (select s.sizes from forager.corpus_size s where s.crawl = _crawl and s.corpus = _me.corpus order by s.commit desc limit 1);
  if _lesson_count > 0 then
    insert into forager.lesson (crawl, first, count, worker, body) values (_crawl, _first, _lesson_count, _worker, _lessons);
  end if;
  -- A commit may have taken links from the inbox: until its next look, this worker counts as busy.
  update forager.worker w set visits = w.visits + _visits, seen_at = now(), idle = false,
    moved_at = case when _visits > 0 then now() else w.moved_at end, batch = _batch, batch_commit = _commit, batch_lesson = _first
    where w.id = _worker;
  return query select _commit, _first;
end $$;

-- Adds a commit of no worker to the logs: the records of a lost corpus. Only while no worker is in the crawl; one that stood still is fenced.
create function forager.give_up_records(_crawl bigint, _lease interval, _request interval, _partitions integer[], _bodies bytea[]) returns void
language plpgsql as $$
declare _commit bigint;
begin
  update forager.crawl set commits = commits + 1 where id = _crawl returning commits into _commit;
  if not found then raise exception 'the crawl was dropped' using errcode = 'FG002'; end if;
  if exists (select from forager.worker where crawl = _crawl and not gone and seen_at > now() - _lease) then
    raise exception 'workers are in the crawl' using errcode = 'FG003';
  end if;
  update forager.partition set worker = null, epoch = epoch + 1, until = '-infinity',
    rests_until = case when worker is null then rests_until else greatest(rests_until, until + _request) end
    where crawl = _crawl;
  insert into forager.log (crawl, partition, commit, models, body)
    select _crawl, p, _commit, c.models, b from unnest(_partitions, _bodies) r(p, b), forager.crawl c where c.id = _crawl;
end $$;

-- Replaces a file for all workers. Returns the number of such changes.
create function forager.put_file(_crawl bigint, _path text, _body bytea) returns integer language plpgsql as $$
declare _notices integer;
begin
  update forager.crawl set notices = notices + 1 where id = _crawl returning notices into _notices;
  insert into forager.crawl_file (crawl, path, body) values (_crawl, _path, _body) on conflict (crawl, path) do update set body = _body;
  return _notices;
end $$;

-- A host of a partition has this address. If another worker has hosts of the same address, both ask one after the other from then on. The first turn waits until the
-- other worker has learned so or has lost its partitions, and its request has ended.
create function forager.note_address(_crawl bigint, _worker bigint, _ip text, _partition integer, _lease interval, _request interval) returns void
language plpgsql as $$
begin
  -- Of two workers that note an address at one moment, the later one sees the other; and turns are committed in the order of their numbers.
  perform pg_advisory_xact_lock(hashtext('forager.address ' || _crawl));
  insert into forager.address (crawl, ip, partition) values (_crawl, _ip, _partition) on conflict do nothing;
  insert into forager.address_turn (crawl, ip, free_at)
    select _crawl, _ip, now() + _lease + _request
    where exists (
      select from forager.address a join forager.partition p on p.crawl = a.crawl and p.no = a.partition
      where a.crawl = _crawl and a.ip = _ip and p.worker <> _worker
    )
    on conflict do nothing;
end $$;

-- Takes a turn. Returns 0 if this worker has it now, else the milliseconds to wait.
create function forager.take_turn(_crawl bigint, _worker bigint, _ip text, _request interval) returns integer language plpgsql as $$
declare _free timestamptz;
begin
  select free_at into _free from forager.address_turn where crawl = _crawl and ip = _ip for update;
  if not found then return 0; end if;
  if _free > now() then return ceil(extract(epoch from _free - now()) * 1000); end if;
  update forager.address_turn set worker = _worker, free_at = now() + _request where crawl = _crawl and ip = _ip;
  return 0;
end $$;

create function forager.end_turn(_crawl bigint, _worker bigint, _ip text, _delay interval) returns void language sql as $$
  update forager.address_turn set worker = null, free_at = now() + _delay where crawl = _crawl and ip = _ip and worker = _worker;
$$;

-- Claims payloads, each for a URL. Returns, for each claim whose payload another URL has, its place (from 1) and that URL.
create function forager.claim_payloads(_crawl bigint, _keys text[], _urls text[]) returns table (place bigint, url text) language plpgsql ${BY_KEY} as $$
begin
  insert into forager.payload (crawl, key, url)
    select _crawl, k, u from unnest(_keys, _urls) with ordinality r(k, u, i) order by k, i on conflict do nothing;
  return query select r.i, p.url from unnest(_keys, _urls) with ordinality r(k, u, i) cross join lateral (
    select o.url from forager.payload o where o.crawl = _crawl and o.key = r.k limit 1) p where p.url <> r.u;
end $$;
`,
  COMMIT_IDS,
];
