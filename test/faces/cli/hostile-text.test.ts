/** Text of the web that turns itself around or moves the cursor, through every command that prints any. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { crawl, harvest, type LedgerLine } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { done, forager, jsonLines, start } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const EVIL = '\u202egnp\u2066exe\u009b31m\u007f\u0085\u200b\ufeff\u{e0041}';
const HARMFUL = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const URL_OF = { hub: 'http://hub.example/', evil: 'http://hub.example/evil' };

const small = smallWeb();
const dir = small.path('crawl');
let model: string;

beforeAll(async () => {
  model = await trainedOn(small);
  const [page = ''] = small.web.examples(small.topic, 1);
  const evil = page
    .replace(/<title>[^<]*/, `$&${EVIL}`)
    .replace('</head>', `<link rel="license" href="/licence-${EVIL}"><meta name="author" content="${EVIL}"></head>`)
    .replace('<body>', `<body><p>sloquuxment ${EVIL} quexous</p>`);
  const hub = page.replace('<body>', `<body><a href="${URL_OF.evil}">moss${EVIL}</a><a href="http://gone.example/">gone${EVIL}</a>`);
  const extra = new Map([
    [URL_OF.hub, hub],
    [URL_OF.evil, evil],
  ]);
  const { proxy } = await small.serve({ extra });
  await crawl({ dir, topic: model, seeds: [URL_OF.hub], proxy, delay: 0, maxPages: 2 });
  await harvest({ dir, out: small.path('corpus'), minRelevance: 0 });
  mkdirSync(small.path('pages'));
  writeFileSync(small.path('pages', 'evil.html'), evil);
});
afterAll(() => small.close());

const COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ['ledger', dir],
  ['why', dir, URL_OF.evil],
  ['why', dir, URL_OF.evil, '--json'],
  ['why', dir, URL_OF.hub],
  ['status', dir],
  ['seeds', dir],
  ['seeds', dir, '--json'],
  ['seeds', dir, '--format', 'urls'],
];

test.each(COMMANDS.map((command) => ({ command })))('$command: nothing of it comes through', async ({ command }) => {
  const { code, stdout, stderr } = await forager(...command);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).not.toBe('');
  expect(stdout).not.toMatch(HARMFUL);
});

test('judge, extract and its explanation: nothing of it comes through', async () => {
  const page = small.path('pages', 'evil.html');
  for (const command of [
    ['judge', model, page, '--explain'],
    ['extract', page],
    ['extract', page, '--explain'],
  ]) {
    expect(await done(...command)).not.toMatch(HARMFUL);
  }
});

test('the ledger still says what the page did', async () => {
  const ledger = await done('ledger', dir);
  expect(ledger).toContain('\\u202egnp\\u2066exe\\u009b31m');
  const anchors = jsonLines<LedgerLine>(ledger).map(({ anchorText }) => anchorText);
  expect(anchors.filter((text) => text.startsWith('moss\u202egnp\u2066exe\u009b31m'))).toHaveLength(1);
});

test('errors and the card of a corpus: nothing of it comes through', async () => {
  const { stderr } = await start(['extract', small.path(`none${EVIL}`)]).ended;
  expect(stderr).toContain('no such file');
  expect(stderr).not.toMatch(HARMFUL);
  expect(readFileSync(small.path('corpus', 'corpus-card.md'), 'utf8')).not.toMatch(HARMFUL);
});
