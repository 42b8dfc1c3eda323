/** Every example of the texts that define statements about use, with its expected sense. The texts are cited by section; our words are in the notes. */
import type { Preferences } from './stated-preferences.ts';

const [YES, NO] = ['allow', 'disallow'] as const;

export interface ValueExample {
  readonly source: string;
  readonly value: string;
  readonly preferences: Preferences;
}

export interface RobotsExample {
  readonly source: string;
  readonly file: string;
  readonly token?: string;
  readonly path: string;
  readonly preferences: Preferences;
  /** Address of a licence. */
  readonly licence?: string;
}

export interface LicenceExample {
  readonly source: string;
  readonly document: string;
  readonly page?: string;
  readonly preferences: Preferences | null;
}

const vocab = (section: string, value: string, preferences: Preferences): ValueExample => ({
  source: `vocab ${section}`,
  value,
  preferences,
});

/** Values of `Content-Usage`. */
export const USAGE_EXAMPLES: readonly ValueExample[] = [
  { source: 'attach 1.2, header', value: 'train-ai=n', preferences: { 'train-ai': NO } },
  vocab('6', 'train-ai=y, search=n', { 'train-ai': YES, search: NO }),
  vocab('6.1, each label', 'train-ai=n, ai-use=n, search=n', { 'train-ai': NO, 'ai-input': NO, search: NO }),
  vocab('6.1, labels have a case', 'Train-AI=n', {}),
  vocab('6.1, a capital letter fails the dictionary', 'search=n, Train-AI=n', {}),
  vocab('6.2, words have a case', 'train-ai=N, search=Y', {}),
  vocab('6.4, unknown labels', 'future=n, search=y', { search: YES }),
  vocab('6.4, unknown parameters', 'search=y;until=2030;why="x"', { search: YES }),
  vocab('6.5, values that are no tokens', 'train-ai="n", search=?0', {}),
  vocab('6.5, other tokens', 'train-ai=no, search=yes', {}),
  vocab('6.5, absent', '', {}),
  vocab('6.5.1, the last of equal keys', 'train-ai=y, train-ai, search=n, search="n"', {}),
  vocab('6.5.2, parameters of a value that is replaced', 'train-ai;allow=n, train-ai=y', { 'train-ai': YES }),
  vocab('6.5.2, a semicolon without a parameter', 'train-ai;has;parameters="?";', {}),
  vocab('6.5.2, parameters of an unknown preference', 'train-ai;has;parameters="?"', {}),
];

/** Values of `Content-Signal`. */
export const SIGNAL_EXAMPLES: readonly ValueExample[] = [
  {
    source: 'policy, the example',
    value: 'ai-train=no, search=yes, ai-input=yes',
    preferences: { 'train-ai': NO, search: YES, 'ai-input': YES },
  },
  { source: 'managed robots.txt', value: 'search=yes,ai-train=no', preferences: { search: YES, 'train-ai': NO } },
  { source: 'policy (c), an absent signal', value: 'search=no', preferences: { search: NO } },
  {
    source: 'header of pages as Markdown',
    value: 'ai-train=yes, search=yes, ai-input=yes',
    preferences: { 'train-ai': YES, search: YES, 'ai-input': YES },
  },
  { source: 'the newer key use', value: 'search=yes, ai-train=no, use=reference', preferences: { search: YES, 'train-ai': NO } },
  { source: 'a path is not in the policy', value: '/x ai-train=no', preferences: {} },
];

const figure = (rule: string) => `User-Agent: *
Allow: /
Disallow: /never/
Content-Usage: ${rule}train-ai=n
Content-Usage: /ai-ok/ train-ai=y

User-Agent: ExampleBot
Allow: /
Content-Usage: ${rule}train-ai=y
`;

/** The figure of section 3.4 with its table, as the draft of August 2026 has it, and with the path that earlier drafts want. */
const FIGURES = ['', '/ '].flatMap((rule): readonly RobotsExample[] => {
  const row = (path: string, preferences: Preferences, token = 'Forager'): RobotsExample => ({
    source: `attach 3.4, rule “${rule}train-ai”, ${token}`,
    file: figure(rule),
    token,
    path,
    preferences,
  });
  return [
    row('/test', { 'train-ai': NO }),
    row('/never/test', {}),
    row('/ai-ok/test', { 'train-ai': YES }),
    ...['/test', '/never/test', '/ai-ok/test'].map((path) => row(path, { 'train-ai': YES }, 'examplebot')),
  ];
});

const group = (...lines: readonly string[]) => ['User-agent: *', ...lines, ''].join('\n');
const robots = (source: string, file: string, path: string, preferences: Preferences): RobotsExample => ({
  source,
  file,
  path,
  preferences,
});
const LICENCE = 'https://example.com/license.xml';

/** Files of robots.txt. */
export const ROBOTS_EXAMPLES: readonly RobotsExample[] = [
  robots('attach 1.2, robots.txt', group('Allow: /', 'Content-Usage: train-ai=n'), '/x', { 'train-ai': NO }),
  robots('attach 1.2 of earlier drafts', group('Allow: /', 'Content-Usage: / train-ai=n'), '/x', { 'train-ai': NO }),
  ...FIGURES,
  robots('attach 3.1, equal paths apply both', group('Content-Usage: /a train-ai=y', 'Content-Usage: /a train-ai=n'), '/a', {
    'train-ai': NO,
  }),
  robots('attach 3.1, order has no meaning', group('Content-Usage: /a/b search=y', 'Disallow: /c', 'Content-Usage: /a search=n'), '/a/b', {
    search: YES,
  }),
  robots('attach 3.1, blanks in a path are encoded', group('Content-Usage: /a%20b search=n'), '/a%20b', { search: NO }),
  robots('attach 3.2, blanks and tabs around', group(' \tcontent-usage\t : \t/a\tsearch=n\t'), '/a', { search: NO }),
  robots('attach 3.2, a comment ends the value', group('Content-Usage: search=n# yes'), '/a', { search: NO }),
  robots('attach 3.2, a comment in a string, too', group('Content-Usage: search=n;a="#"'), '/a', {}),
  robots(
    'attach 3.2, a longest path that states nothing hides the others',
    group('Content-Usage: search=n', 'Content-Usage: /a Search=n'),
    '/a',
    {},
  ),
  robots('policy of content signals', group('Content-Signal: ai-train=no, search=yes, ai-input=yes', 'Allow: /'), '/x', {
    'train-ai': NO,
    search: YES,
    'ai-input': YES,
  }),
  robots('content signals of two lines', group('Content-Signal: search=yes', 'Content-signal: ai-train=no'), '/x', {
    search: YES,
    'train-ai': NO,
  }),
  robots('a content signal before any group', `Content-Signal: ai-train=no\n${group('Allow: /')}`, '/x', {}),
  robots('a content signal of another crawler', 'User-agent: other\nContent-Signal: ai-train=no\n', '/x', {}),
  robots(
    'RFC 9309 2.2.4, other records end no list of agents',
    'User-agent: *\nCrawl-delay: 9\nUser-agent: b\nContent-Signal: ai-train=no\n',
    '/x',
    {
      'train-ai': NO,
    },
  ),
  { ...robots('RSL, guide for robots.txt', `License: ${LICENCE}\n\nUser-agent: Googlebot\nAllow: /\n`, '/x', {}), licence: LICENCE },
  {
    ...robots('RSL, guide for AI preferences', group('Allow: /', '', 'Content-Usage: train-ai=n', `License: ${LICENCE}`), '/x', {
      'train-ai': NO,
    }),
    licence: LICENCE,
  },
  robots('RSL: the address is absolute', 'License: /license.xml\n', '/x', {}),
];

const NONE: Preferences = { 'train-ai': NO, 'ai-input': NO, search: NO, mining: NO };
const ALL: Preferences = { 'train-ai': YES, 'ai-input': YES, search: YES, mining: YES };
const rsl = (contents: string) => `<rsl xmlns="https://rslstandard.org/rsl">\n${contents}\n</rsl>`;
const part = (licences: string, attributes = 'url="/"') => `<content ${attributes}>\n${licences}\n</content>`;
const terms = (inner: string) => `<license>\n${inner}\n</license>`;
const usage = (list: 'permits' | 'prohibits', words: string) => `<${list} type="usage">${words}</${list}>`;
const licence = (source: string, document: string, preferences: Preferences | null, page?: string): LicenceExample =>
  page === undefined ? { source, document, preferences } : { source, document, preferences, page };
const SERVER = 'url="/" server="https://rslcollective.org/api"';

/** Documents of RSL. */
export const LICENCE_EXAMPLES: readonly LicenceExample[] = [
  licence('guide, prohibit training', rsl(part(terms(usage('prohibits', 'train-ai')))), { 'train-ai': NO }),
  licence('guide, allow training', rsl(part(terms(usage('permits', 'train-ai')))), { ...NONE, 'train-ai': YES }),
  licence(
    'guide, training with attribution by a licence server',
    rsl(part(terms(`${usage('permits', 'train-ai')}<payment type="attribution"/>`), SERVER)),
    NONE,
  ),
  licence(
    'guide, AI preferences: training by subscription',
    rsl(
      part(terms(`${usage('permits', 'train-ai')}<payment type="subscription"><custom>https://example.com/form.html</custom></payment>`)),
    ),
    NONE,
  ),
  licence(
    'guide, a Creative Commons licence',
    rsl(
      part(
        terms(
          `${usage('permits', 'all')}<payment type="attribution"><standard>https://creativecommons.org/licenses/by/4.0/</standard></payment>`,
        ),
      ),
    ),
    ALL,
  ),
  licence('1.0, prohibit all AI', rsl(part(terms(usage('prohibits', 'ai-all')))), { 'train-ai': NO, 'ai-input': NO }),
  licence('1.0, prohibit all, with a server', rsl(part(terms(usage('prohibits', 'all')), SERVER)), NONE),
  licence('1.0, search alone', rsl(part(terms(usage('permits', 'search')))), { ...NONE, search: YES }),
  licence('3.5, words between blanks', rsl(part(terms(usage('permits', 'search  ai-input\n')))), { ...NONE, search: YES, 'ai-input': YES }),
  licence('3.5, a prohibition wins', rsl(part(terms(usage('permits', 'ai-train search') + usage('prohibits', 'ai-train')))), {
    ...NONE,
    search: YES,
  }),
  licence('3.5, no list of permits restricts nothing', rsl(part(terms('<payment type="free"/>'))), {}),
  licence('3.7, no payment is free', rsl(part(terms(usage('permits', 'ai-input ai-index')))), { ...NONE, 'ai-input': YES }),
  licence(
    '3.7, of two payments the one for money',
    rsl(part(terms(`${usage('permits', 'search')}<payment type="crawl"/><payment type="free"/>`))),
    NONE,
  ),
  licence(
    '3.4, two licences',
    rsl(
      part(
        terms(usage('permits', 'search')) +
          terms(`${usage('permits', 'ai-input')}<payment type="use"><amount currency="USD">0.015</amount></payment>`),
      ),
    ),
    { ...NONE, search: YES },
  ),
  ...(['https://example.com/archive/1', 'https://example.com/a'] as const).map((page, at) =>
    licence(
      `3.3, the part for ${page}`,
      rsl(part(terms(usage('permits', 'search'))) + part(terms(usage('prohibits', 'ai-all')), 'url="/archive/*"')),
      at === 0 ? { 'train-ai': NO, 'ai-input': NO } : { ...NONE, search: YES },
      page,
    ),
  ),
  licence(
    '3.3, an address is as long as its path',
    rsl(
      part(terms(usage('permits', 'search')), 'url="https://example.com/*"') + part(terms(usage('prohibits', 'ai-train')), 'url="/news/*"'),
    ),
    { 'train-ai': NO },
    'https://example.com/news/1',
  ),
  licence('3.3, end of the path', rsl(part(terms(usage('prohibits', 'search')), 'url="/a$"')), null, 'https://example.com/a/b'),
  licence(
    '4, a feed',
    `<rss xmlns:rsl="https://rslstandard.org/rsl" version="2.0"><channel><item><title>T</title>
      <rsl:content url="https://example.com/article"><rsl:license><rsl:permits type="usage">search ai-input ai-index</rsl:permits>
      <rsl:prohibits type="usage">ai-train</rsl:prohibits></rsl:license></rsl:content></item></channel></rss>`,
    { ...NONE, search: YES, 'ai-input': YES },
    'https://example.com/article',
  ),
  licence(
    '4, another prefix',
    `<r:rsl xmlns:r="https://rslstandard.org/rsl"><r:content url="/"><r:license><r:prohibits type="usage">ai-train</r:prohibits></r:license></r:content></r:rsl>`,
    { 'train-ai': NO },
  ),
  licence(
    '4, elements of another name space',
    `<rsl xmlns="https://rslstandard.org/rsl" xmlns:m="http://search.yahoo.com/mrss/"><m:content url="/"><m:license/></m:content>${part(terms(usage('prohibits', 'ai-train')))}</rsl>`,
    { 'train-ai': NO },
  ),
];
