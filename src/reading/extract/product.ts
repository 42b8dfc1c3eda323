/** The product that a page is about: its statements in JSON-LD, microdata, RDFa and metas, and the specification in its text. */
import { type PageProduct, PRODUCT_SOURCES, type ProductOffer, type ProductProperty, type ProductSource } from '../../base/core/types.ts';
import { squeeze } from '../../base/text/squeeze.ts';
import type { LinkResolver } from '../../base/web/link-resolver.ts';
import type { PageContent } from './blocks.ts';
import type { LinkedObject } from './json-ld.ts';
import { LinkedGraph } from './linked-graph.ts';
import { type PagePlace, resolverOf } from './links.ts';
import { jsonValues } from './loose-json.ts';
import type { PageElements } from './page-elements.ts';
import { hasSign } from './page-signs.ts';
import { outerItems } from './product-items.ts';
import { isPriceMeta, isProductMeta, productOfMetas } from './product-metas.ts';
import { PRODUCT_TYPE, type ProductParts, productOfNode } from './product-node.ts';
import { MAX_PAIRS, pairsInText } from './product-rows.ts';

const MAX_OFFERS = 100;
/** Characters of all properties of one page. */
const MAX_PROPERTY_CHARS = 40_000;
/** Types of products as their scripts and tags name them; only such pages are read further. */
const NAMED_TYPE = /Product|Vehicle|"(?:[^"]*\/)?(?:Car|Motorcycle|MotorizedBicycle|BusOrCoach|Drug|DietarySupplement)"/;

export interface StatingPage {
  readonly content: PageContent;
  readonly elements: () => PageElements;
  readonly place: PagePlace;
}

/** The statements about the product of a page; null for a page without one, and for a list of several. A few comparisons for most pages. */
export function productStatements(page: StatingPage): readonly ProductStatement[] | null {
  const stated = statementsOf(page).filter(({ parts }) => Object.keys(parts).length > 0);
  return stated.length === 0 ? null : stated;
}

/** The product of a page by its statements, with the pairs in its text. @param roles of the main text */
export function productOf(content: PageContent, stated: readonly ProductStatement[], roles: Uint8Array): PageProduct {
  const pairs = pairsInText(content, roles);
  return merged(pairs.length > 0 ? [...stated, { source: 'text', parts: { properties: pairs } }] : stated);
}

/** The parts of a product that one source states. */
export interface ProductStatement {
  readonly source: ProductSource;
  readonly parts: ProductParts;
}

/** The statements of each source. On a list of products, metas count if they have a price. */
function statementsOf(page: StatingPage): readonly ProductStatement[] {
  const { metas } = page.content;
  const graphs = graphsOf(page);
  const resolver = resolverOf(page.content, page.place);
  const inData = graphs.flatMap(({ source, graph }) =>
    mainOf(graph, page, resolver).map((node) => ({ source, parts: productOfNode(node, graph, resolver) })),
  );
  const isList = inData.length === 0 && graphs.some(({ graph }) => graph.ofType(PRODUCT_TYPE).length > 1);
  const isMeta = isList ? metas.some(isPriceMeta) : metas.some(isProductMeta);
  return isMeta ? [...inData, { source: 'meta', parts: productOfMetas(metas) }] : inData;
}

interface SourceGraph {
  readonly source: ProductSource;
  readonly graph: LinkedGraph;
}

/** The objects of JSON-LD and of items; of several items, those with the main heading of the page. */
function graphsOf({ content, elements }: StatingPage): readonly SourceGraph[] {
  const { jsonLd } = content;
  const isScripted = jsonLd.some((script) => NAMED_TYPE.test(script));
  const scripted: SourceGraph[] = isScripted ? [{ source: 'json-ld', graph: new LinkedGraph(jsonLd.flatMap(jsonValues)) }] : [];
  if (!hasSign(content, 'itemprop') && !hasSign(content, 'typeof')) return scripted;
  const items = outerItems(elements());
  if (items.length === 0) return scripted;
  const inItems = (['microdata', 'rdfa'] as const).map((source): SourceGraph => {
    const own = items.filter((item) => item.source === source);
    const titled = own.filter(({ hasHeading }) => hasHeading);
    const all = new LinkedGraph(own.map(({ node }) => node));
    const isOne = titled.length === 0 || all.ofType(PRODUCT_TYPE).length <= 1;
    return { source, graph: isOne ? all : new LinkedGraph(titled.map(({ node }) => node)) };
  });
  return [...scripted, ...inItems];
}

/** The object of the product: the only one, or the one with the address or the heading of the page. */
function mainOf(graph: LinkedGraph, { content, place }: StatingPage, resolver: LinkResolver): readonly LinkedObject[] {
  const nodes = graph.ofType(PRODUCT_TYPE);
  if (nodes.length <= 1) return nodes;
  const names = new Set(nodes.map((node) => keyOf(graph.text(node['name']))));
  if (names.size === 1) return nodes;
  const addressed = nodes.filter((node) => addressOf(node, graph, resolver) === place.url);
  const titled = nodes.filter((node) => isTitle(graph.text(node['name']), content));
  return [addressed, titled].find(({ length }) => length === 1) ?? [];
}

function addressOf(node: LinkedObject, graph: LinkedGraph, resolver: LinkResolver): string | null {
  const url = graph.text(node['url'], ['url', '@id', '@value']);
  return url === '' ? null : resolver.resolve(url);
}

function isTitle(name: string, { heading, title }: PageContent): boolean {
  const key = keyOf(name);
  return key !== '' && (keyOf(heading) === key || (heading === '' && keyOf(title).startsWith(key)));
}

function keyOf(text: string): string {
  return squeeze(text).toLowerCase();
}

/** The parts of all sources: of each, the first; of properties, all with different names; of offers, those of the first source. */
function merged(stated: readonly ProductStatement[]): PageProduct {
  let parts: ProductParts = {};
  // A source adds keys behind those of the sources before it.
  for (const { parts: own } of stated) parts = { ...parts, ...own, ...parts };
  const properties = distinctPairs(stated.flatMap(({ parts: { properties: own } }) => own ?? []));
  const offers = distinctOffers(parts.offers ?? []);
  return {
    ...parts,
    ...(properties.length > 0 && { properties }),
    ...(offers.length > 0 && { offers }),
    sources: PRODUCT_SOURCES.filter((source) => stated.some((one) => one.source === source)),
  };
}

function distinctPairs(pairs: readonly ProductProperty[]): readonly ProductProperty[] {
  const found = new Map<string, ProductProperty>();
  let chars = 0;
  for (const pair of pairs) {
    const key = keyOf(pair.name);
    chars += pair.name.length + pair.value.length;
    if (found.size >= MAX_PAIRS || chars > MAX_PROPERTY_CHARS) break;
    if (!found.has(key)) found.set(key, pair);
  }
  return [...found.values()];
}

function distinctOffers(offers: readonly ProductOffer[]): readonly ProductOffer[] {
  return Array.from(new Map(offers.map((offer) => [JSON.stringify(offer), offer])).values()).slice(0, MAX_OFFERS);
}
