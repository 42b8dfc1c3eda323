/** One word for each state of a URL, and one text for each end of a run: in the sources, in the documents and in every output. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stateMeaning, stateText } from '../../src/base/core/state-words.ts';
import { STATE_NAMES, type StateName, URL_STATES } from '../../src/base/core/types.ts';
import type { StopReason } from '../../src/crawling/crawl/loop.ts';
import { endsText } from '../../src/faces/cli/ends-text.ts';
import { FINAL_STATES, type FinalStates } from '../../src/study/eval/final-states.ts';
import { type SeedResult, whereaboutsTable } from '../../src/study/eval/tables.ts';
import { crawlStateText, endText } from '../../src/study/inspect/stop-reason-text.ts';

const page = (path: string) => readFileSync(path, 'utf8');
const section = (text: string, head: string) => text.split(`\n## ${head}\n`)[1]?.split('\n## ')[0] ?? '';
const firstCells = (text: string) => [...text.matchAll(/^\| (.+?) \|/gm)].map(([, cell = '']) => cell).filter((cell) => /^`/.test(cell));

test('the ledger reference explains each state, by its name', () => {
  const rows = firstCells(section(page('docs/reference/ledger.md'), 'States'));
  expect(rows.sort()).toEqual(STATE_NAMES.map((name) => `\`${name}\``).sort());
});

test('the glossary has the words that are no plain English, and the names that nobody uses', () => {
  const rows = page('docs/reference/glossary.md').split('\n');
  for (const word of ['kept', 'waiting', 'parked, released', 'reopened'])
    expect(rows.some((row) => row.startsWith(`| ${word} |`))).toBe(true);
  const avoided =
    rows
      .find((row) => row.startsWith('| waiting |'))
      ?.split('|')[3]
      ?.split(',') ?? [];
  for (const word of avoided) expect(STATE_NAMES).not.toContain(word.trim());
});

test('the end of a crawl counts by the names of the states', () => {
  const ones = { waiting: 1, fetched: 1, kept: 1, offTopic: 1, duplicate: 1, refused: 1, failed: 1 };
  const counts = { ...ones, queued: 1, leased: 0, parked: 1, discovered: 7 } as Parameters<typeof endsText>[0]['counts'];
  const text = endsText({ counts, refusals: {} });
  for (const name of STATE_NAMES.filter((one) => one !== 'leased')) expect(text).toContain(name);
  expect(text.split('; ')[0]?.split(', ').length).toBeGreaterThan(5);
});

test('an evaluation has the same names at the head of its table', () => {
  const whereabouts = { onTopic: 0, refusals: {}, ...Object.fromEntries(FINAL_STATES.map((one) => [one, 0])) } as unknown as FinalStates;
  const result = { strategy: 'bfs', topic: 't', seed: 1, whereabouts } as unknown as SeedResult;
  const head = whereaboutsTable(['bfs'], [result]).split('\n')[0]?.split('|').slice(3, -1) ?? [];
  const others = ['undiscovered', 'unreachable'];
  expect(head.length).toBeGreaterThan(5);
  for (const cell of head) expect([...STATE_NAMES, ...others]).toContain(cell.trim());
});

test('an explanation follows the name, and a name of a later version has none', () => {
  expect(stateText('fetched')).toBe(`fetched (${stateMeaning('fetched')})`);
  expect(stateText('kept')).toBe('kept');
  expect(stateMeaning('sunk')).toBe('');
  // Their places are stored: a new state goes to the end.
  expect(URL_STATES satisfies readonly StateName[]).toEqual([
    'waiting',
    'leased',
    'fetched',
    'kept',
    'off-topic',
    'duplicate',
    'refused',
    'failed',
  ]);
});

const ENDS: readonly StopReason[] = [
  'drained',
  'revisited',
  'max-pages',
  'max-time',
  'low-yield',
  'interrupted',
  'disk-full',
  'low-memory',
];

test.each(ENDS)('%s: the end of a run, the status and the documents agree', (reason) => {
  expect(crawlStateText(reason)).toMatch(/^(?:ended|stopped): /);
  expect(crawlStateText(reason).endsWith(`: ${endText(reason)}`)).toBe(true);
  expect(section(page('docs/guides/troubleshooting.md'), 'The crawl stops early')).toContain(`\`${reason}\``);
  expect(page('docs/guides/monitoring.md')).toContain(`\`${reason}\``);
});

test.each(['running', 'perhaps-running', 'paused', 'stopping', 'killed', 'gathering', 'gathered', 'running-elsewhere'])(
  '%s is a state that no run ends with',
  (state) => expect(crawlStateText(state)).not.toMatch(/^(?:ended|stopped): /),
);

test('a reason of a later version stays as it is', () => {
  expect(crawlStateText('sunspots')).toBe('sunspots');
  expect(crawlStateText('constructor')).toBe('constructor');
});
