/** Pages that are reserved by the protocols that a corpus obeys, and pages without a use. */
import { describe, expect, test } from 'vitest';
import { isoTime } from '../../../src/base/core/clock.ts';
import type { CorpusRecord, Reservation, RightsStatement, StatedUses } from '../../../src/base/core/types.ts';
import { OBEYABLE, type Obeyable } from '../../../src/corpus/select/obeyed-names.ts';
import { reservedBy } from '../../../src/corpus/select/obeyed-statements.ts';
import { recordWith, selected } from '../harvest/selected.ts';

const stated = (protocol: RightsStatement['protocol'], uses: StatedUses, understood = true): RightsStatement => ({
  ...{ protocol, from: 'header', statement: 'as written', path: null, fetchedAt: isoTime(0), understood, uses },
});
const [NO_TRAINING, TRAINING] = [{ 'train-ai': 'disallow' }, { 'train-ai': 'allow' }] as const;
const page = (over: Partial<CorpusRecord>, place = 0) => recordWith('A page.', 'a.example', place, over);
const reservation = (by: Reservation['by'], reserved = true): Reservation => ({ reserved, by, policy: null });

describe('reserved', () => {
  test.each<[string, Partial<CorpusRecord>, readonly Obeyable[], string | null]>([
    ['nothing is stated', {}, OBEYABLE, null],
    ['a meta, obeyed', { reservation: reservation('meta') }, ['tdm'], 'meta'],
    ['a meta, not obeyed', { reservation: reservation('meta') }, ['noai'], null],
    ['noai, obeyed', { reservation: reservation('noai') }, ['noai'], 'noai'],
    ['noai, not obeyed', { reservation: reservation('noai') }, ['tdm'], null],
    [
      'noai beside a meta, of which only noai is obeyed',
      { reservation: reservation('meta'), rights: [stated('noai', NO_TRAINING)] },
      ['noai'],
      'noai',
    ],
    [
      'a meta that reserves nothing, before the file',
      { reservation: reservation('meta', false), rights: [stated('tdm', NO_TRAINING)] },
      ['tdm'],
      null,
    ],
    ['another protocol, obeyed', { rights: [stated('content-signal', NO_TRAINING)] }, ['content-signal'], 'content-signal'],
    ['another protocol, not obeyed', { rights: [stated('content-signal', NO_TRAINING)] }, ['tdm', 'noai', 'rsl'], null],
    ['words that allow', { rights: [stated('rsl', TRAINING)] }, OBEYABLE, null],
    ['of two words the stricter', { rights: [stated('rsl', TRAINING), stated('rsl', NO_TRAINING)] }, OBEYABLE, 'rsl'],
    ['words that nobody understands', { rights: [stated('content-usage', {}, false)] }, OBEYABLE, null],
    ['no protocol is obeyed', { reservation: reservation('file'), rights: [stated('rsl', NO_TRAINING)] }, [], null],
  ])('%s', (_name, over, obeyed, by) => {
    expect(reservedBy(page(over), obeyed)).toBe(by);
  });
});

describe('a harvest', () => {
  const records = [
    page({}, 0),
    page({ rights: [stated('content-usage', NO_TRAINING)] }, 1),
    page({ rights: [stated('content-signal', { search: 'disallow', 'train-ai': 'allow' })] }, 2),
    page({ rights: [stated('rsl', TRAINING), stated('tdm', { mining: 'disallow', 'train-ai': 'disallow' })] }, 3),
    page({ rights: [stated('cc', {})] }, 4),
  ];
  const places = (pages: readonly { readonly url: string }[]) => pages.map(({ url }) => Number(url.at(-1)));

  test.each([
    [undefined, [0, 1, 2, 3, 4]],
    [['train-ai'], [0, 2, 4]],
    [['search'], [0, 1, 3, 4]],
    [['mining'], [0, 1, 2, 4]],
    [
      ['train-ai', 'search', 'ai-input'],
      [0, 4],
    ],
  ] as const)('without %j', async (withoutUse, kept) => {
    const { pages, leftOut } = await selected(records, { ...(withoutUse && { withoutUse }) });
    expect(places(pages)).toEqual(kept);
    expect(new Set(leftOut.map(({ reason }) => reason))).toEqual(new Set(leftOut.length > 0 ? ['without-use'] : []));
    for (const { grounds } of leftOut) expect(withoutUse).toContain(grounds['use']);
  });
});
