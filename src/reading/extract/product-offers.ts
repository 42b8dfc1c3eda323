/** The offers of a product in objects of schema.org: `Offer`, `AggregateOffer`, prices in specifications, offers of variants. */
import {
  OFFER_AVAILABILITIES,
  OFFER_CONDITIONS,
  type OfferAvailability,
  type OfferCondition,
  type ProductOffer,
} from '../../base/core/types.ts';
import { currencyIn, priceIn } from '../../base/text/prices.ts';
import type { LinkResolver } from '../../base/web/link-resolver.ts';
import type { LinkedObject } from './json-ld.ts';
import { type LinkedGraph, localName, typesOf } from './linked-graph.ts';
import { knownParts, nameLine } from './product-parts.ts';

/** Prices of specifications that are none of the offer: former prices, those of delivery and payment. */
const OTHER_PRICE = /ListPrice|StrikethroughPrice|MSRP|SRP|InvoicePrice|MinimumAdvertisedPrice/i;
const OTHER_CHARGE = /^(?:DeliveryChargeSpecification|PaymentChargeSpecification)$/;

/** Other words for availabilities, as feeds of shops have them. */
const AVAILABLE: ReadonlyMap<string, OfferAvailability> = new Map([
  ...OFFER_AVAILABILITIES.map((name) => [name.toLowerCase(), name] as const),
  ['available', 'InStock'],
  ['availablefororder', 'BackOrder'],
  ['oos', 'OutOfStock'],
  ['notavailable', 'OutOfStock'],
  ['unavailable', 'OutOfStock'],
]);
const CONDITIONS: ReadonlyMap<string, OfferCondition> = new Map([
  ...OFFER_CONDITIONS.map((name) => [name.toLowerCase(), name] as const),
  ...OFFER_CONDITIONS.map((name) => [name.replace('Condition', '').toLowerCase(), name] as const),
]);

/** The availability that a name or a word of a feed means: `https://schema.org/InStock`, `in stock`, `instock`. */
export function availabilityOf(written: string): OfferAvailability | undefined {
  return AVAILABLE.get(wordOf(written));
}

export function conditionOf(written: string): OfferCondition | undefined {
  return CONDITIONS.get(wordOf(written));
}

function wordOf(written: string): string {
  return localName(written)
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '');
}

/** The offers of a product, then those of its variants with their names. */
export function offersOf(node: LinkedObject, graph: LinkedGraph, resolver: LinkResolver): ProductOffer[] {
  const own = graph.objects(node['offers']).flatMap((offer) => membersOf(offer, graph, resolver));
  const variants = graph.objects(node['hasVariant']).flatMap((variant) => {
    const named = knownParts<Pick<ProductOffer, 'name' | 'sku'>>({
      name: nameLine(graph.text(variant['name'])),
      sku: nameLine(graph.text(variant['sku'])),
    });
    return graph.objects(variant['offers']).flatMap((offer) => membersOf(offer, graph, resolver).map((found) => ({ ...named, ...found })));
  });
  return [...own, ...variants];
}

/** An offer, and the offers that it sums. */
function membersOf(offer: LinkedObject, graph: LinkedGraph, resolver: LinkResolver): ProductOffer[] {
  const inner = graph.objects(offer['offers']).map((member) => offerOf(member, graph, resolver));
  return [offerOf(offer, graph, resolver), ...inner].filter((found) => Object.keys(found).some((key) => key !== 'url' && key !== 'name'));
}

function offerOf(offer: LinkedObject, graph: LinkedGraph, resolver: LinkResolver): ProductOffer {
  const text = (property: string) => graph.text(offer[property]);
  const url = graph.text(offer['url'], ['url', '@id', '@value']);
  const priced = [offer, ...graph.objects(offer['priceSpecification']).filter(isOwnPrice)];
  const currency = priced
    .map((node) => currencyIn(graph.text(node['priceCurrency']) || graph.text(node['currency'])))
    .find((code) => code !== null);
  return knownParts<ProductOffer>({
    name: nameLine(text('name')),
    sku: nameLine(text('sku')),
    ...pricesOf(priced, currency ?? null, graph),
    availability: availabilityOf(text('availability')),
    condition: conditionOf(text('itemCondition')),
    seller: nameLine(text('seller') || text('offeredBy')),
    url: (url === '' ? null : resolver.resolve(url)) ?? undefined,
  });
}

function isOwnPrice(node: LinkedObject): boolean {
  return !typesOf(node).some((type) => OTHER_CHARGE.test(type)) && !OTHER_PRICE.test(String(node['priceType'] ?? ''));
}

type Prices = { readonly [K in 'price' | 'lowPrice' | 'highPrice' | 'currency']: ProductOffer[K] | undefined };

/** The first price among an offer and its specifications; of a range, its ends. */
function pricesOf(priced: readonly LinkedObject[], currency: string | null, graph: LinkedGraph): Prices {
  const read = (...properties: readonly string[]) => {
    for (const node of priced)
      for (const name of properties) {
        const price = priceIn(graph.text(node[name]), currency);
        if (price !== null) return price;
      }
    return null;
  };
  const [one, low, high] = [read('price'), read('lowPrice', 'minPrice'), read('highPrice', 'maxPrice')];
  const known = one ?? low ?? high;
  return {
    ...(one === null ? { price: undefined, lowPrice: low?.amounts[0], highPrice: high?.amounts.at(-1) } : rangeOf(one.amounts)),
    currency: currency ?? known?.currency ?? undefined,
  };
}

/** One amount is the price; two are the ends of a range. */
export function rangeOf([low, high]: readonly number[]): Pick<Prices, 'price' | 'lowPrice' | 'highPrice'> {
  return high === undefined
    ? { price: low, lowPrice: undefined, highPrice: undefined }
    : { price: undefined, lowPrice: low, highPrice: high };
}
