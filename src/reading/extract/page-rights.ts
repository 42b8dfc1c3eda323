/** The statements of a page and its headers about rights and use, as written. Those of its host's files are elsewhere. */
import type { CanonicalUrl, RightsSource, WrittenStatement } from '../../base/core/types.ts';
import type { LinkResolver } from '../../base/web/link-resolver.ts';
import { reservedIn } from '../../base/web/reservation.ts';
import { directivesFor } from '../../base/web/robots-meta.ts';
import { NOT_UNDERSTOOD, type Sense, signalSense, usageSense, writtenStatement } from '../../base/web/use-statements.ts';
import { usesByTerms } from '../../base/web/use-terms.ts';
import { NO_USES, NOAI_USES, TDM_USES, usesOf } from '../../base/web/use-words.ts';
import type { PageContent } from './blocks.ts';
import { readRslTerms } from './rsl-reader.ts';
import { isAddress, type Statements } from './statements.ts';

/** Statements kept of one page. Pages have up to three. */
const MAX_STATEMENTS = 50;
const SILENT: Sense = { understood: true, uses: NO_USES };

/** A link to a licence, as the page has it. */
export interface StatedLicence {
  readonly href: string;
  readonly from: RightsSource;
  readonly isRsl: boolean;
}

/** The page: its URL in the form of the crawl, and header fields by name in lower case. */
interface StatingPage {
  readonly url: CanonicalUrl;
  readonly headers: Readonly<Record<string, string>>;
}

/** The licences of a page: of its headers, its head, its metas and data, and its text. */
export function statedLicences({ licenceLinks, links }: PageContent, stated: Statements): readonly StatedLicence[] {
  const { values, from } = stated.found('licences', (written) => (isAddress(written.trim()) ? written : null));
  return [
    ...licenceLinks,
    ...values.map((href) => ({ href, from, isRsl: false })),
    ...links.filter(({ rel }) => rel.includes('license')).map(({ href }) => ({ href, from: 'text' as const, isRsl: false })),
  ];
}

/**
 * All statements, distinct, in the order headers, head, text. null if there are none: so it is for most pages.
 * @param productToken name of the crawler, to which a directive of robots may be addressed
 */
export function rightsOfPage(
  page: StatingPage,
  { metas, rsl }: Pick<PageContent, 'metas' | 'rsl'>,
  licences: readonly StatedLicence[],
  resolver: LinkResolver,
  productToken: string,
): readonly WrittenStatement[] | null {
  const found = [
    ...ofHeaders(page.headers, productToken),
    ...metas.flatMap(({ name, content }) => ofMeta(name, content, productToken)),
    ...rsl.map((xml) => writtenStatement({ protocol: 'rsl', from: 'script', path: null }, xml, () => rslSense(xml, page.url))),
    ...licences.flatMap((licence) => ofLicence(licence, resolver)),
  ];
  if (found.length === 0) return null;
  const distinct = new Map(found.map((statement) => [`${statement.protocol} ${statement.from} ${statement.statement}`, statement]));
  return [...distinct.values()].slice(0, MAX_STATEMENTS);
}

function ofHeaders(headers: StatingPage['headers'], productToken: string): readonly WrittenStatement[] {
  const { 'content-usage': usage, 'content-signal': signal, 'x-robots-tag': robots } = headers;
  return [
    ...(usage === undefined ? [] : [writtenStatement({ protocol: 'content-usage', from: 'header', path: null }, usage, usageSense)]),
    ...(signal === undefined ? [] : [writtenStatement({ protocol: 'content-signal', from: 'header', path: null }, signal, signalSense)]),
    ...TDM_FIELDS.flatMap((name) => (headers[name] === undefined ? [] : tdmStatement('header', name, headers[name]))),
    ...(robots === undefined ? [] : aiStatements('header', robots, productToken)),
  ];
}

const TDM_FIELDS = ['tdm-reservation', 'tdm-policy'] as const;

function ofMeta(name: string, content: string, productToken: string): readonly WrittenStatement[] {
  if (name === 'robots' || name === productToken.toLowerCase()) return aiStatements('meta', content, productToken);
  return TDM_FIELDS.some((field) => field === name) ? tdmStatement('meta', name, content) : [];
}

function tdmStatement(from: RightsSource, name: string, written: string): readonly WrittenStatement[] {
  return [writtenStatement({ protocol: 'tdm', from, path: null }, `${name}: ${written.trim()}`, () => tdmSense(name, written))];
}

/** TDM Reservation Protocol, §4: 1 reserves, 0 does not. A policy says how to get the rights. */
function tdmSense(name: string, written: string): Sense {
  if (name === 'tdm-policy') return SILENT;
  const reserved = reservedIn(written);
  return reserved === null ? NOT_UNDERSTOOD : { understood: true, uses: usesOf(TDM_USES, reserved ? 'disallow' : 'allow') };
}

/** `noai` and `noimageai`; the latter is about images, which no corpus has. */
function aiStatements(from: RightsSource, robots: string, productToken: string): readonly WrittenStatement[] {
  if (!/no(?:image)?ai/i.test(robots)) return [];
  const words = directivesFor([robots], productToken).flatMap((directive) => directive.split(/\s+/));
  return words
    .filter((word) => word === 'noai' || word === 'noimageai')
    .map((word) =>
      writtenStatement({ protocol: 'noai', from, path: null }, word, () => ({
        understood: true,
        uses: word === 'noai' ? usesOf(NOAI_USES, 'disallow') : NO_USES,
      })),
    );
}

function rslSense(xml: string, url: CanonicalUrl): Sense {
  const uses = usesByTerms(readRslTerms(xml), url);
  return uses === null ? NOT_UNDERSTOOD : { understood: true, uses };
}

function ofLicence({ href, from, isRsl }: StatedLicence, resolver: LinkResolver): readonly WrittenStatement[] {
  const url = resolver.resolve(href.trim());
  if (url === null) return [];
  const protocol = isRsl ? 'rsl' : isCreativeCommons(url) ? 'cc' : 'license';
  return [writtenStatement({ protocol, from, path: null }, url, () => SILENT)];
}

/** An address of a licence or of the public domain tools of Creative Commons. */
function isCreativeCommons(url: CanonicalUrl): boolean {
  return /^https?:\/\/(?:www\.)?creativecommons\.org\/(?:licenses|publicdomain)\//.test(url);
}
