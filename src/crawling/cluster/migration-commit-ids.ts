/**
 * The second migration. Each commit has a random id, and each size of a corpus the sums of its files. So a worker recognises a database that was
 * restored from an older copy and has the same number of commits again, and copied bytes are checked. Functions of the first migration keep
 * their bodies under another name.
 */
export const COMMIT_IDS = `
create table forager.commit_id (
  crawl bigint not null,
  commit bigint not null,
  id uuid not null default gen_random_uuid(),
  primary key (crawl, commit)
) partition by list (crawl);

-- The CRC-32 of each file up to its size; null for commits of earlier versions. And how often the corpus was repaired, so that it has other bytes.
alter table forager.corpus_size add column sums jsonb, add column repairs integer not null default 0;

alter function forager.begin_crawl(text, text, integer) rename to begin_crawl_1;
alter function forager.drop_crawl(bigint) rename to drop_crawl_1;
alter function forager.commit_batch rename to commit_batch_1;
alter function forager.give_up_records rename to give_up_records_1;

create function forager.give_ids(_crawl bigint) returns void language plpgsql as $$
begin
  execute format('create table if not exists forager.%I partition of forager.commit_id for values in (%s)', 'commit_id_' || _crawl, _crawl);
end $$;

select forager.give_ids(id) from forager.crawl;

create function forager.begin_crawl(_name text, _manifest text, _partitions integer) returns bigint language plpgsql as $$
declare _id bigint := forager.begin_crawl_1(_name, _manifest, _partitions);
begin
  perform forager.give_ids(_id);
  return _id;
end $$;

create function forager.drop_crawl(_id bigint) returns void language plpgsql as $$
begin
  perform forager.drop_crawl_1(_id);
  execute format('drop table if exists forager.%I', 'commit_id_' || _id);
end $$;

-- Is this commit that of the crawl? A worker that knows none gives null.
create function forager.check_commit(_crawl bigint, _commit bigint, _id uuid) returns void language plpgsql set enable_seqscan = off as $$
begin
  if _id is not null and not exists (select from forager.commit_id where crawl = _crawl and commit = _commit and id = _id) then
    raise exception 'its commit % is another than the one that was made', _commit using errcode = 'FG004';
  end if;
end $$;

-- As the first one, for a worker that knows a commit of the crawl.
create function forager.commit_batch(
  _crawl bigint, _worker bigint, _batch bigint, _held integer[], _epochs bigint[], _bytes bytea,
  _partitions integer[], _starts integer[], _lengths integer[],
  _text_partitions integer[], _text_starts integer[], _text_lengths integer[],
  _to integer[], _link_starts integer[], _link_lengths integer[], _bests real[], _read_partitions integer[], _read_commits bigint[], _read_places integer[],
  _lessons bytea, _lesson_count integer, _visits integer, _sizes jsonb, _models integer, _sums jsonb, _known bigint, _known_id uuid
) returns table (commit bigint, first_lesson bigint, id uuid) language plpgsql set enable_seqscan = off as $$
declare _commits bigint; _corpus uuid; _done forager.worker; _id uuid;
begin
  select c.commits into _commits from forager.crawl c where c.id = _crawl for no key update;
  if not found then raise exception 'the crawl was dropped' using errcode = 'FG002'; end if;
  perform forager.check_commit(_crawl, _known, _known_id);
  -- Before the first one, which stores no sizes then. A batch that is sent again changes nothing.
  insert into forager.corpus_size (crawl, corpus, commit, sizes, sums, repairs)
    select _crawl, w.corpus, _commits + 1, _sizes, _sums, coalesce(l.repairs, 0)
    from forager.worker w left join lateral (
      select s.sizes, s.repairs from forager.corpus_size s where s.crawl = _crawl and s.corpus = w.corpus order by s.commit desc limit 1) l on true
    where w.id = _worker and w.batch <> _batch and _sizes is distinct from l.sizes;
  select b.commit, b.first_lesson into commit, first_lesson from forager.commit_batch_1(
    _crawl, _worker, _batch, _held, _epochs, _bytes, _partitions, _starts, _lengths, _text_partitions, _text_starts, _text_lengths,
    _to, _link_starts, _link_lengths, _bests, _read_partitions, _read_commits, _read_places, _lessons, _lesson_count, _visits, _sizes, _models) b;
  insert into forager.commit_id (crawl, commit) values (_crawl, commit) on conflict do nothing returning commit_id.id into id;
  if id is null then
    select i.id into id from forager.commit_id i where i.crawl = _crawl and i.commit = commit_batch.commit;
  end if;
  return next;
end $$;

create function forager.give_up_records(_crawl bigint, _lease interval, _request interval, _partitions integer[], _bodies bytea[]) returns void
language plpgsql as $$
begin
  perform forager.give_up_records_1(_crawl, _lease, _request, _partitions, _bodies);
  insert into forager.commit_id (crawl, commit) select id, commits from forager.crawl where id = _crawl;
end $$;

-- A corpus was repaired: it has these sizes and sums from now on, and some of its records are lost. Workers that hold their partitions join again.
create function forager.repair_corpus(
  _crawl bigint, _request interval, _corpus uuid, _sizes jsonb, _sums jsonb, _partitions integer[], _bodies bytea[]
) returns void language plpgsql as $$
declare _commit bigint;
begin
  update forager.crawl set commits = commits + 1 where id = _crawl returning commits into _commit;
  if not found then raise exception 'the crawl was dropped' using errcode = 'FG002'; end if;
  insert into forager.commit_id (crawl, commit) values (_crawl, _commit);
  update forager.partition set worker = null, epoch = epoch + 1, until = '-infinity',
    rests_until = case when worker is null then rests_until else greatest(rests_until, until + _request) end
    where crawl = _crawl and no = any (_partitions);
  insert into forager.log (crawl, partition, commit, models, body)
    select _crawl, p, _commit, c.models, b from unnest(_partitions, _bodies) r(p, b), forager.crawl c where c.id = _crawl;
  insert into forager.corpus_size (crawl, corpus, commit, sizes, sums, repairs)
    select _crawl, _corpus, _commit, _sizes, _sums, 1 + coalesce(max(repairs), 0) from forager.corpus_size where crawl = _crawl and corpus = _corpus;
end $$;
`;
