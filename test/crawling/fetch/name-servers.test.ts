import type { LookupAddress } from 'node:dns';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import { HttpFetcher } from '../../../src/crawling/fetch/http-fetcher.ts';
import { NameServers } from '../../../src/crawling/fetch/name-servers.ts';
import { hostOf, urlOf } from '../../support/frontier-values.ts';
import { type HostileWeb, startHostileWeb } from '../../support/hostile-web.ts';
import { type NameServer, startNameServer } from '../../support/name-server.ts';

const PATIENCE = { timeout: 100, tries: 2 };
const never = new AbortController().signal;

let server: NameServer;
let web: HostileWeb;
const folder = mkdtempSync(join(tmpdir(), 'forager-hosts-'));
const hostsFile = join(folder, 'hosts');
beforeAll(async () => {
  web = await startHostileWeb();
  writeFileSync(hostsFile, '127.0.0.1 localhost # this machine\n# 8.8.8.8 comment.example\n203.0.113.9\tmine.example Mine-Too.example\n');
  server = await startNameServer({
    'both.example': { addresses: ['8.8.8.8', '2606:4700::1111'], ttl: 120 },
    'six.example': { addresses: ['2606:4700::1111'] },
    'alias.example': { alias: 'both.example' },
    'under_score.example': { addresses: ['8.8.4.4'] },
    'xn--bcher-kva.example': { addresses: ['9.9.9.9'] },
    'empty.example': { addresses: [] },
    'circle.example': { alias: 'round.example' },
    'round.example': { alias: 'circle.example' },
    'broken.example': 'server-failure',
    'silent.example': 'silent',
    'many.example': { addresses: [...Array.from({ length: 199 }, (_, i) => `127.0.1.${i + 1}`), '127.0.0.1'] },
    'mixed.example': { addresses: [...Array.from({ length: 199 }, (_, i) => `93.184.216.${i + 1}`), '10.0.0.1'] },
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([server.close(), web.close()]);
});
beforeEach(() => {
  server.log.length = 0;
});

/** Name servers, and the names that the system's own resolver was asked for; it knows none. */
function servers() {
  const asked: string[] = [];
  const system: LookupFunction = (name, _options, callback) => {
    asked.push(name);
    callback(Object.assign(new Error(`no ${name}`), { code: 'ENOTFOUND' }), '');
  };
  return { asked, names: new NameServers({ servers: () => [server.address], patience: PATIENCE, system, hostsFile, families: [6, 4] }) };
}

function ask(names: NameServers, name: string): Promise<string | readonly LookupAddress[]> {
  return new Promise((resolve) =>
    names.lookup(name, { all: true }, (error, answers) => resolve(error ? `error ${error.code}` : (answers as LookupAddress[]))),
  );
}

test('both families are asked for, and answers have their TTL', async () => {
  const { asked, names } = servers();
  const both = [
    { address: '2606:4700::1111', family: 6, ttl: 120 },
    { address: '8.8.8.8', family: 4, ttl: 120 },
  ];
  expect(await ask(names, 'both.example')).toEqual(both);
  expect(server.log.sort()).toEqual(['both.example A', 'both.example AAAA']);
  expect(await ask(names, 'six.example')).toMatchObject([{ address: '2606:4700::1111', family: 6 }]);
  // An answer holds as long as the alias on the way to it.
  expect(await ask(names, 'alias.example')).toEqual(both.map((one) => ({ ...one, ttl: 60 })));
  expect(asked).toEqual([]);
});

test('when questions fail, other name servers of the machine are found', async () => {
  const [silent, other] = await Promise.all([
    startNameServer({ 'moved.example': 'silent' }),
    startNameServer({ 'moved.example': { addresses: ['8.8.8.8'] } }),
  ]);
  let current = silent.address;
  const names = new NameServers({ servers: () => [current], patience: PATIENCE, hostsFile, families: [4] });
  expect(await ask(names, 'moved.example')).toBe('error ETIMEOUT');
  current = other.address;
  expect(await ask(names, 'moved.example')).toBe('error ETIMEOUT');
  expect(await ask(names, 'moved.example')).toMatchObject([{ address: '8.8.8.8' }]);
  await Promise.all([silent.close(), other.close()]);
});

test('only the families that the machine has are asked for', async () => {
  const names = new NameServers({ servers: () => [server.address], hostsFile, families: [4] });
  expect(await ask(names, 'both.example')).toEqual([{ address: '8.8.8.8', family: 4, ttl: 120 }]);
  expect(server.log).toEqual(['both.example A']);
});

test('names of this machine, of its net and of its hosts file are the system’s, and so is what no name server knows', async () => {
  const { asked, names } = servers();
  const local = ['localhost', 'printer', 'a.localhost', 'nas.local', 'mine.example', 'mine-too.example'];
  for (const name of local) await ask(names, name);
  expect(server.log).toEqual([]);
  expect(await ask(names, 'gone.example')).toBe('error ENOTFOUND');
  expect(await ask(names, 'comment.example')).toBe('error ENOTFOUND');
  expect(asked).toEqual([...local, 'gone.example', 'comment.example']);
});

test.each([
  ['gone.example', 'failed', 'dns'],
  ['empty.example', 'failed', 'dns'],
  ['broken.example', 'failed', 'dns'],
  ['silent.example', 'failed', 'dns'],
  ['circle.example', 'failed', 'dns'],
  ['mixed.example', 'refused', 'private-address'],
])('%s ends as expected and in time, and is not asked for twice', async (name, kind, why) => {
  const { asked: bySystem, names } = servers();
  const fetcher = new HttpFetcher({ userAgent: 'Forager/0', contact: null, clock: systemClock, lookup: names.lookup });
  const first = await fetcher.fetch(urlOf(`http://${name}/page`), never);
  expect(first).toMatchObject(kind === 'failed' ? { kind, code: why, status: null } : { kind, reason: why });
  const asked = server.log.length;
  expect(await fetcher.fetch(urlOf(`http://${name}./other`), never)).toMatchObject({ kind });
  expect(server.log.length).toBe(asked);
  // The system’s resolver would wait for them once more, and others for it.
  if (['broken.example', 'silent.example'].includes(name)) expect(bySystem).toEqual([]);
  expect(fetcher.lookupsOf(hostOf(`http://${name}/`))).toBe(1);
  expect(fetcher.lookups).toEqual({ asked: 1, failed: kind === 'failed' ? 1 : 0 });
  await fetcher.close();
});

test.each([
  ['http://under_score.example/', 'under_score.example', '8.8.4.4'],
  ['http://Bücher.example/', 'xn--bcher-kva.example', '9.9.9.9'],
  ['http://both.example./', 'both.example', '2606:4700::1111'],
])('%s is asked for as %s', async (address, name, ip) => {
  const { names } = servers();
  const fetcher = new HttpFetcher({ userAgent: 'Forager/0', contact: null, clock: systemClock, lookup: names.lookup });
  expect((await fetcher.addressesOf(hostOf(address)))?.[0]).toBe(ip);
  expect(server.log).toContain(`${name} A`);
  await fetcher.close();
});

test('of two hundred addresses, all but the last of them dead, the last is found', async () => {
  const { names } = servers();
  const fetcher = new HttpFetcher({ userAgent: 'Forager/0', contact: null, clock: systemClock, lookup: names.lookup, allowPrivate: true });
  const outcome = await fetcher.fetch(urlOf(`http://many.example:${new URL(web.origin).port}/page`), never);
  expect(outcome.kind === 'page' && outcome.page.ip).toBe('127.0.0.1');
  await fetcher.close();
});

test('closing ends the questions under way', async () => {
  const names = new NameServers({ servers: () => [server.address], patience: { timeout: 60_000, tries: 1 }, hostsFile });
  const asked = ask(names, 'silent.example');
  names.close();
  expect(await asked).toMatch(/^error/);
});
