import { NO_METADATA } from '../../base/core/no-metadata.ts';
import type { Extractor } from '../../base/core/parts/reading.ts';
import type { Alternate, CanonicalUrl, EpochMs, Extraction, PageMetadata } from '../../base/core/types.ts';
import { normaliseLang } from '../../base/text/language.ts';
import { LinkResolver } from '../../base/web/link-resolver.ts';
import { reservationOfPage, type TdmStatement } from '../../base/web/reservation.ts';
import { directivesFor, robotsDirectives } from '../../base/web/robots-meta.ts';
import type { PageContent } from './blocks.ts';
import { Credits } from './credits.ts';
import { type PagePlace, resolverOf } from './links.ts';
import { creditsOf } from './page-credits.ts';
import type { PageElements } from './page-elements.ts';
import { rightsOfPage, type StatedLicence, statedLicences } from './page-rights.ts';
import { langOf, Statements, statedText, statedWords } from './statements.ts';

const MAX_LICENCES = 10;
/** Real lists have a few dozen: languages times regions. */
const MAX_ALTERNATES = 100;
const MAX_ROBOTS = 20;
/** Longest robots directive: `unavailable_after` with a date is half as long. */
const MAX_DIRECTIVE_CHARS = 80;

const NO_STATEMENT: TdmStatement = { reservation: '', policy: undefined };

type Page = Pick<Parameters<Extractor['extract']>[0], 'url' | 'headers'>;
type HtmlPage = Page & PagePlace;
type Declared = Pick<Extraction, 'title' | 'lang' | 'noindex' | 'nofollow' | 'reservation' | 'rights' | 'metadata' | 'creditSources'>;

/**
 * The declarations of a page about itself. Of several sources, the best readable one wins:
 * - title: `<title>`, else og:title, else the first `<h1>` with text, else '';
 * - language: `<html lang>`, else a `content-language` pragma, else the header, else JSON-LD, Dublin Core, og:locale;
 * - description, authors, site name, dates: metas, JSON-LD and microdata in the order of `SOURCES` (statements.ts). The places of authors
 *   and dates that are not stated there are in page-credits.ts. A day after `now` is none;
 * - licences: all of `<link rel=license>`, metas and JSON-LD, then of `<a rel=license>`.
 */
export function declaredBy(
  content: PageContent,
  elements: () => PageElements,
  page: HtmlPage,
  productToken: string,
  now: EpochMs,
): Declared {
  const credits = new Credits(elements, content);
  const stated = new Statements(content.metas, content.jsonLd, credits.hasMicrodata ? () => credits.data : null);
  const lang =
    normaliseLang(content.lang) ??
    normaliseLang(stated.meta('http-equiv:content-language')) ??
    normaliseLang(page.headers['content-language']) ??
    stated.first('lang', langOf);
  const resolver = resolverOf(content, page);
  const robots = directivesFor(robotsValues(page, robotsMetas(content, productToken)), productToken);
  const licences = statedLicences(content, stated);
  const rights = rightsOfPage(page, content, licences, resolver, productToken);
  const { metadata: credited, creditSources } = creditsOf({ url: page.url, headers: page.headers, content, lang }, stated, credits, now);
  return {
    title: content.title || (stated.meta('og:title') ?? stated.meta('twitter:title') ?? content.heading),
    lang,
    ...askedOfRobots(page, robots, content.metas, resolver.base),
    ...(rights && { rights }),
    metadata: metadataOf(content, stated, licences, resolver, keptDirectives(robots), credited),
    ...(creditSources && { creditSources }),
  };
}

/** The declarations about a page other than HTML, from its headers alone. @param content its declarations; null if there are none */
export function declaredByHeaders(page: Page, content: PageContent | null, productToken: string): Declared {
  const robots = directivesFor(robotsValues(page, []), productToken);
  const resolver = new LinkResolver(page.url);
  const licences = content?.licenceLinks ?? [];
  const stated = content ? metadataOf(content, new Statements([], []), licences, resolver, [], NO_METADATA) : NO_METADATA;
  const rights = rightsOfPage(page, { metas: [], rsl: [] }, licences, resolver, productToken);
  return {
    title: '',
    lang: normaliseLang(page.headers['content-language']),
    ...askedOfRobots(page, robots, [], page.url),
    ...(rights && { rights }),
    metadata: { ...stated, robots: keptDirectives(robots) },
  };
}

function askedOfRobots(
  page: Page,
  robots: readonly string[],
  metas: PageContent['metas'],
  base: string,
): Pick<Declared, 'noindex' | 'nofollow' | 'reservation'> {
  const { noindex, nofollow, noai } = robotsDirectives(robots);
  const reservation = reservationOfPage(tdmOfMetas(metas), tdmOfHeaders(page), noai, base);
  return { noindex, nofollow, ...(reservation && { reservation }) };
}

function tdmOfHeaders({ headers }: Page): TdmStatement {
  return { reservation: headers['tdm-reservation'], policy: headers['tdm-policy'] };
}

function tdmOfMetas(metas: PageContent['metas']): TdmStatement {
  if (metas.length === 0) return NO_STATEMENT;
  const contents = (wanted: string) => metas.filter(({ name }) => name === wanted).map(({ content }) => content);
  return { reservation: contents('tdm-reservation').join(','), policy: contents('tdm-policy')[0] };
}

function metadataOf(
  content: PageContent,
  stated: Statements,
  licences: readonly StatedLicence[],
  resolver: LinkResolver,
  robots: readonly string[],
  { authors, published, modified }: Pick<PageMetadata, 'authors' | 'published' | 'modified'>,
): PageMetadata {
  return {
    canonical: content.canonicalHref === null ? null : resolver.resolve(content.canonicalHref),
    description: stated.first('description', statedText),
    authors,
    siteName: stated.first('siteName', statedWords),
    published,
    modified,
    licences: licencesOf(licences, resolver),
    rights: stated.first('rights', statedWords),
    alternates: alternatesOf(content, resolver),
    robots,
  };
}

/** Distinct URLs; documents of RSL are none: they are statements about use. */
function licencesOf(licences: readonly StatedLicence[], resolver: LinkResolver): readonly CanonicalUrl[] {
  const urls = licences.filter(({ isRsl }) => !isRsl).flatMap(({ href }) => resolver.resolve(href.trim()) ?? []);
  return [...new Set(urls)].slice(0, MAX_LICENCES);
}

function alternatesOf({ alternates }: PageContent, resolver: LinkResolver): readonly Alternate[] {
  const found = new Map<string, Alternate>();
  for (const { lang: written, href } of alternates) {
    if (found.size >= MAX_ALTERNATES) break;
    const lang = written.trim().toLowerCase() === 'x-default' ? 'x-default' : normaliseLang(written);
    const url = lang === null || found.has(lang) ? null : resolver.resolve(href);
    if (lang !== null && url !== null) found.set(lang, { lang, url });
  }
  return [...found.values()];
}

/** Contents of the robots metas for all crawlers and for this one. */
function robotsMetas({ metas }: PageContent, productToken: string): readonly string[] {
  const token = productToken.toLowerCase();
  return metas.filter(({ name }) => name === 'robots' || name === token).map(({ content }) => content);
}

/** The values for robots, of the metas and of the header. */
function robotsValues({ headers }: Page, metas: readonly string[]): readonly string[] {
  const header = headers['x-robots-tag'];
  return header === undefined ? metas : [...metas, header];
}

function keptDirectives(directives: readonly string[]): readonly string[] {
  return [...new Set(directives.filter(({ length }) => length <= MAX_DIRECTIVE_CHARS))].slice(0, MAX_ROBOTS);
}
