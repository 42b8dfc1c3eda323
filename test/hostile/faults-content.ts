/** R, H, U and D: what files, pages and URLs are. */
import { inFile, type Line, PROCESSES, paths, QUICK, REQUEST } from './fault-lines.ts';
import type { FaultTest } from './faults.ts';

const ROBOTS_ANSWER = 'RFC 9309 §2.3.1: an answer that is';

// biome-ignore format: one line for each test
export const LISTS: readonly FaultTest[] = [
  ...inFile(
    'test/crawling/fetch/robots-cache.test.ts',
    QUICK,
    Object.entries({
      '401': 'allow',
      '403': 'allow',
      '404': 'allow',
      '410': 'allow',
      '429': 'deny',
      '503': 'deny',
      'a timeout': 'deny',
      'an HTML page': 'allow',
      binary: 'allow',
      'a challenge': 'deny',
    }).map(([answer, verdict]): Line => ['R1', answer, `${ROBOTS_ANSWER} > ${answer}`, verdict]),
  ),
  ...inFile('test/crawling/fetch/robots-cache.test.ts', QUICK, [
    ['R1', 'five redirects, off the host', 'RFC 9309 §2.3.1.2: redirects > five are followed, and the rules hold for the first host', 'followed'],
    ['R1', 'six redirects', 'RFC 9309 §2.3.1.2: redirects > six are too many: allow', 'allow'],
    ['N14', 'robots.txt redirected inwards', 'RFC 9309 §2.3.1.2: redirects > into a private network deny; a private host itself is left to its own refusal', 'deny'],
    ['R1', 'unreachable for long', 'time > RFC 9309 §2.3.1.4: an unreachable file is due again after a minute, then twice as long each time, up to a day', 'deny, waits that double'],
    ['R1', 'unreachable for thirty days', 'time > RFC 9309 §2.3.1.4: after thirty days without an answer there is no file', 'allow'],
    ['N15', '429 to robots.txt', 'time > RFC 9110 §10.2.3: a 429 that names a pause is not asked again before it is over', 'asked again after it'],
    ['R1', '600 KB, over a connection', 'over a real connection > RFC 9309 §2.5: a file of any type is read up to 500 KiB, a rule cut in two there left out, and an abort remembers nothing', 'read up to 500 KiB'],
  ]),
  ...inFile('test/base/web/robots.test.ts', REQUEST, [
    ['R1', 'UTF-16', 'RFC 9309 §2.3, §2.3.1.5: UTF-16 with a byte order mark is read; HTML and binary say nothing', 'read'],
    ['R1', 'byte order mark', 'RFC 9309 §2.2, §2.3.1.5: a byte order mark are read', 'read'],
    ['R1', 'CR only', 'RFC 9309 §2.2, §2.3.1.5: carriage returns are read', 'read'],
    ['R1', 'NUL bytes', 'RFC 9309 §2.2, §2.3.1.5: NUL bytes and junk are read', 'read'],
    ['R1', 'one line of 2 MB', 'RFC 9309 §2.5, §3: hostile file, one line of two megabytes: parsed and asked in bounded time', 'read in bounded time'],
    ['R1', '100,000 rules', 'RFC 9309 §2.5, §3: hostile file, a hundred thousand rules: parsed and asked in bounded time', 'read in bounded time'],
    ['R1', '*a*a*a', 'RFC 9309 §2.5, §3: hostile file, stars and a near miss: parsed and asked in bounded time', 'read in bounded time'],
    ['R1', 'no user-agent line', 'RFC 9309 §2.2.1: rules without a user-agent line are of no group', 'allow'],
    ['R1', 'groups of the same agent', 'RFC 9309 §2.2.1: groups that name us are merged, whatever the case, and shut out the group for all', 'merged'],
    ['R1', 'percent-encoding', 'RFC 9309 §2.2.2, §2.2.3: the two sides are compared in one encoding: pattern /%61bc is the path /abc', 'compared decoded'],
    ['R1', 'Unicode', 'RFC 9309 §2.2.2, §2.2.3: the two sides are compared in one encoding: pattern /foo/bar/ツ is the path /foo/bar/%E3%83%84', 'compared encoded'],
  ]),
  ...inFile('test/hostile/pages.test.ts', QUICK, [
    ['R2', 'billion laughs', 'a sitemap with a billion laughs', 'not resolved', { ms: 2000, mb: 48 }],
    ['R2', 'external entity', 'a sitemap with an external entity', 'not resolved', { ms: 2000, mb: 48 }],
    ['R2', 'gzip bomb of 256 MB', 'a sitemap with a gzip bomb of 256 MB', 'cut at 50 MB', { ms: 6000, mb: 64 }],
    ['R2', 'another namespace, cut off, lastmod in 9999', 'a sitemap with another namespace, a modification in the year 9999 and no end', 'what is there is read', { ms: 2000, mb: 48 }],
    ['R2', 'HTML instead', 'a sitemap with an HTML page', 'no URLs', { ms: 2000, mb: 48 }],
    ['R2', 'nested a million deep', 'a sitemap with elements nested a million deep', 'no URLs', { ms: 6000, mb: 64 }],
    ['R2', 'a location of 10 MB', 'a sitemap with a location of 10 MB', 'left out', { ms: 3000, mb: 64 }],
  ]),
  ...inFile('test/reading/extract/url-list.test.ts', QUICK, [
    ['R2', 'over 50,000 URLs', 'sitemaps > no more than 50,000 pages', 'cut at 50,000'],
    ['R2', 'over 50 MB', 'sitemaps > of a bomb no more than 50 MB are unpacked', 'cut at 50 MB'],
    ['R2', 'an index that names itself', 'sitemaps > an index names sitemaps, the first twenty, on any host, never itself', 'left out'],
    ['R2', 'gzip cut off', 'sitemaps > gzip, and gzip that breaks off', 'what is there is read'],
    ['R2', 'relative locations', 'sitemaps > locations in their order, each once, entities and character data read, relative ones resolved', 'resolved'],
    ['R2', 'locations of other hosts', 'sitemaps > pages of the same registrable domain only', 'left out'],
    ['R2', 'plain text', 'sitemaps > lines of plain text', 'read'],
    ['R2', 'RSS', 'feeds > RSS: links and titles of items, on any host; not those of the channel', 'read'],
    ['R2', 'Atom', 'feeds > Atom: alternate links of entries, relative ones too', 'read'],
  ]),
  ...inFile('test/crawling/crawl/lists.test.ts', QUICK, [
    ['R2', 'indexes of indexes', 'an index > leads to sitemaps, and an index in it to more, but no further; deeper ones are asked for later', 'two levels'],
  ]),
];

// biome-ignore format: one line for each test
export const PAGES: readonly FaultTest[] = [
  ...inFile('test/hostile/pages.test.ts', QUICK, [
    ['H1', 'nested 100,000 deep', 'a page of 100,000 elements nested', 'read', { ms: 3000, mb: 64 }],
    ['H1', 'a million attributes', 'a page of a million attributes', 'read', { ms: 3000, mb: 64 }],
    ['H1', '250,000 links', 'a page of 250,000 links', '5,000 outlinks', { ms: 3000, mb: 64 }],
    ['H1', 'unclosed script, 5 MB', 'a page of an unclosed script of 5 MB', 'read, with a warning', { ms: 3000, mb: 64 }],
    ['H1', '2 MB of <', 'a page of 2 MB of <', 'read', { ms: 3000, mb: 64 }],
    ['H1', 'text node of 10 MB', 'a page of a text node of 10 MB', 'cut at 4 MB, with a warning', { ms: 3000, mb: 96 }],
    ['H1', 'srcset bomb', 'a page of a srcset of 100,000 candidates', 'read', { ms: 3000, mb: 64 }],
    ['H1', '100,000 <base>', 'a page of 100,000 bases', 'read', { ms: 3000, mb: 64 }],
    ['H1', 'no text in any encoding', 'a page of 4 MB that are no text in any encoding', 'read', { ms: 5000, mb: 64 }],
    ['H1', 'UTF-16 called UTF-8', 'a page of 2 MB of UTF-16 that is said to be UTF-8', 'read', { ms: 5000, mb: 64 }],
  ]),
  ...inFile('test/hostile/pages.test.ts', QUICK, [
    ['U1', '64 KB URLs, other schemes, credentials, homographs, double encoding', 'links that are no URLs for a crawl, or are written to look like others', 'left out, or canonical'],
  ]),
  ...inFile('test/reading/extract/links.test.ts', QUICK, [
    ['H1', 'a base that is no web address', 'a base that is no web address is not used', 'not used'],
    ['H1', 'meta refresh', 'the targets of all refreshes come first; a reload is none', 'links'],
  ]),
  ...inFile('test/base/web/charset.test.ts', QUICK, [
    ['H1', 'UTF-16 without a mark', 'UTF-16 without a byte order mark is read when declared by the header, and when it looks it', 'read'],
    ['H1', 'meta contradicts the header', 'the header outranks meta, and an unknown label is a warning and the next source', 'the header counts'],
    ['H1', 'wrong charset in the header', 'a page that says UTF-8 and is not is read by the next source', 'the next source counts'],
    ['H1', 'invalid UTF-8', 'bytes that do not fit are replaced with a warning', 'replaced, with a warning'],
  ]),
  ...inFile('test/crawling/reader/read-pool.test.ts', PROCESSES, [
    ['H1', 'a page that takes too long to read', 'a page costs its worker, and only itself: > over the time cap', 'failed read-timeout'],
    ['H1', 'a page that takes too much memory', 'a page costs its worker, and only itself: > over the heap cap', 'failed read-crash'],
  ]),
  ...paths('H2', {
    '/binary-as-html': 'an image called HTML',
    '/zip-as-html': 'an archive called HTML',
    '/small-binary-as-html': 'a small one',
    '/gzipped-binary-as-html': 'one in gzip',
    '/pdf': 'PDF',
    '/image': 'image',
    '/video': 'video',
    '/polyglot': 'PDF at first, a page behind it',
  }),
  ...inFile('test/crawling/fetch/http-fetcher.test.ts', REQUEST, [
    ['H2', 'an archive called HTML, how much of it', 'of /zip-as-html no more is read than tells what it is', 'hung up on'],
    ['H2', 'a video, how much of it', 'of /video no more is read than tells what it is', 'hung up on'],
  ]),
  ...inFile('test/crawling/crawl/traps.test.ts', PROCESSES, [
    ['U1', 'infinite calendar, session ids, faceted search', 'a trap takes less than 2 % of 2,000 requests > random, web 2, texts judged on topic: one in 4', 'parked'],
    ['U1', '/a/a/a', 'other traps > relative links that nest for ever: a repeated path is one pattern', 'parked'],
    ['U1', 'a farm of hosts under one domain', 'other traps > a farm of hosts under one domain is one pattern', 'parked'],
  ]),
  ...inFile(
    'test/base/web/url.test.ts',
    REQUEST,
    Object.entries({
      fragment: ['http://example.com/a#top', 'http://example.com/a'],
      credentials: ['http://user:secret@example.com/a', 'http://example.com/a'],
      'default port': ['http://example.com:80/', 'http://example.com/'],
      'trailing dot': ['http://example.com./a', 'http://example.com/a'],
      'dot segments': ['http://example.com/a/./b/../c', 'http://example.com/a/c'],
      punycode: ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
    }).map(([input, [from, to]]): Line => ['U1', input, `${from} is written ${to}`, 'canonical']),
  ),
  ...inFile('test/base/web/url.test.ts', REQUEST, [
    ['U1', 'javascript:', 'javascript:void(0) is no URL for us', 'left out'],
    ['U1', 'data:', 'data:text/html,x is no URL for us', 'left out'],
    ['U1', 'mailto:', 'mailto:a@b.org is no URL for us', 'left out'],
    ['U1', 'session ids', 'noise is dropped: http://a.org/x;jsessionid=0A1B/y;v=2?PHPSESSID=abc', 'left out'],
    ['U1', 'double encoding', 'decoding makes no new escape out of a stray percent sign', 'not decoded twice'],
    ['U1', 'a URL of 10 MB', 'the length limit holds for the canonical form', 'left out'],
  ]),
  ...inFile('test/crawling/frontier/parking.test.ts', QUICK, [
    ['D1', 'near-duplicate templates', 'is parked > near-duplicates that lead nowhere new, at the sixteenth, and then whoever links to them', 'parked'],
    ['D1', 'mirrors of one domain', 'is parked > a farm: hosts of one domain with near-duplicate pages', 'parked'],
  ]),
  ...inFile('test/base/text/simhash.test.ts', QUICK, [
    ['D1', 'one word in fifty anew', 'a text with one word in fifty anew is near; an unrelated one is far', 'near'],
  ]),
];
