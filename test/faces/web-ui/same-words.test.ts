/** Doubts, saturation, forecast and precision have the same words on the page and on the terminal. */
import { expect, test } from 'vitest';
import { doubtLine, precisionText, questionsText, saturationLine } from '../../../dist/faces/cli/grounds-text.js';
import { outlookLines } from '../../../dist/faces/cli/outlook-text.js';
import { browserPart, trust, worth } from '../../../dist/faces/web-ui/screens/overview.js';
import type { RenderedPages } from '../../../dist/study/inspect/rendering-tally.js';
import { renderedLines } from '../../../dist/study/inspect/rendering-text.js';
import type { CrawlStatus } from '../../../dist/study/inspect/status.js';
import { plain } from './tables.ts';

const STATUS = {
  doubts: [],
  saturation: null,
  recall: null,
  questions: 0,
  topics: [],
  precision: null,
  harvest: null,
  drawn: null,
  relabelled: [],
  keptBeside: null,
  ages: null,
  recent: { visits: 500, onTopic: 181 },
  outlook: { requests: 1000, onTopic: 377, low: 96, high: 600 },
  explored: null,
  locality: { ofOnTopicPages: { followed: 0, onTopic: 0 }, ofOffTopicPages: { followed: 0, onTopic: 0 } },
  pastOutlooks: { compared: [], held: 0, open: 0 },
} as unknown as CrawlStatus;

/** A line of the terminal up to its command, as the page writes it: a sentence. */
const asSentence = (line: string | null, end = '.') =>
  `${line?.charAt(0).toUpperCase()}${line?.slice(1)}`.split(/: npx|; to measure it/)[0] + end;
const trusted = (over: object) => plain(trust({ status: { ...STATUS, ...over }, wholeHosts: [] }));
const worthOf = (over: object) => plain(worth({ status: { ...STATUS, ...over }, curve: [] }));

test.each([[['one-host']], [['two-hosts', 'unlike-training']], [['unknown-hosts']], [['unlike-training']]] as const)(
  'doubts: %j',
  (doubts) => {
    const said = asSentence(doubtLine('c', doubts, false));
    expect(trusted({ doubts })).toContain(said);
    // The forecast is hidden for the same reason, whichever it is.
    expect(worthOf({ doubts })).toContain(said.split(' Remedy:')[0]);
  },
);

test.each([
  [{ signs: ['nearly-all'], last: { pages: 200, onTopic: 190 }, terms: [] }],
  [{ signs: ['common-terms'], last: { pages: 200, onTopic: 20 }, terms: ['the', 'home', 'shall', 'of'] }],
  [{ signs: ['nearly-all', 'common-terms', 'unlike-training'], last: { pages: 200, onTopic: 200 }, terms: ['a', 'b', 'c', 'd', 'e'] }],
] as const)('saturation: %j', (saturation) => {
  const line = saturationLine('c', saturation, false)?.split('. Remedy')[0] ?? null;
  expect(trusted({ saturation })).toContain(asSentence(line));
});

test('rendered pages', () => {
  const none = { pages: 0, because: {}, used: 0, medianGain: null, troubles: {}, msAPage: null, requests: 0, bytes: 0 };
  const some = { ...none, pages: 3, because: { shell: 3 }, used: 2, medianGain: { text: 900, links: 4 }, troubles: { 'render-hung': 1 } };
  const shown = (rendered: RenderedPages) => plain(browserPart({ status: { ...STATUS, rendered } }));
  expect(shown(none)).toBe('');
  const rendered = { ...some, msAPage: 420, requests: 6 };
  expect(renderedLines(rendered)).toHaveLength(2);
  for (const line of renderedLines(rendered)) expect(shown(rendered)).toContain(asSentence(line.trim()));
});

test('a sign that the doubts show is not shown twice', () => {
  const saturation = { signs: ['unlike-training'], last: { pages: 200, onTopic: 20 }, terms: [] } as const;
  expect(saturationLine('c', saturation, false)).toBeNull();
  expect(trusted({ saturation })).not.toContain('distinguish');
});

test.each([[null], [{ kept: 1, leftOut: 0, needed: 5 }], [{ kept: 4, leftOut: 9, needed: 12 }]])('precision, drawn %j', (drawn) => {
  expect(trusted({ drawn })).toContain(asSentence(precisionText({ dir: 'c' }, 'kept', { precision: null, drawn })));
});

test('questions, the forecast, and a model of a warm-up that is not active', () => {
  expect(trusted({ questions: 15 })).toContain(asSentence(questionsText('c', 15)));
  const [line = ''] = outlookLines(STATUS);
  const [recent = '', forecast = ''] = line.replace(' (36.2 %)', '').split('; ');
  expect(worthOf({})).toContain(`${asSentence(recent, '')} (by the model; not measured).`);
  expect(worthOf({})).toContain(asSentence(forecast.split(' (by')[0] ?? '', ' (by the model; not measured).'));
  expect(trusted({ keptBeside: { id: 'm', labels: 0, pool: 40 } })).toContain('finds most of them on topic');
  expect(trusted({ keptBeside: { id: 'm', labels: 12 } })).toContain('worse on held-out labels');
});
