/** The product of a page in its metas: Open Graph with the properties of Facebook's product catalogues. */
import type { ProductOffer, ProductProperty } from '../../base/core/types.ts';
import { currencyIn, priceIn } from '../../base/text/prices.ts';
import type { MetaTag } from './declarations.ts';
import type { ProductParts } from './product-node.ts';
import { availabilityOf, conditionOf, rangeOf } from './product-offers.ts';
import { gtinOf, knownParts, nameLine, property, proseOf } from './product-parts.ts';

const PRICES = ['product:sale_price:amount', 'product:price:amount', 'og:price:amount'];
const CURRENCIES = ['product:sale_price:currency', 'product:price:currency', 'og:price:currency'];
const PAIRS = ['color', 'material', 'pattern', 'size'];
/** Values of `og:type`; `product.group` is a list of products. */
const TYPE = /^(?:og:)?product(?:\.item)?$/i;

/** Does a meta say that the page is about a product? */
export function isProductMeta(meta: MetaTag): boolean {
  return isPriceMeta(meta) || (meta.name === 'og:type' && TYPE.test(meta.content.trim()));
}

export function isPriceMeta({ name }: MetaTag): boolean {
  return PRICES.includes(name);
}

export function productOfMetas(metas: readonly MetaTag[]): ProductParts {
  const said = (...names: readonly string[]) =>
    names.map((name) => metas.find((meta) => meta.name === name)?.content.trim() ?? '').find((text) => text !== '') ?? '';
  const offer = offerOf(said);
  const properties = propertiesOf(said);
  return knownParts<ProductParts>({
    name: nameLine(said('og:title')),
    description: proseOf(said('og:description')),
    brand: nameLine(said('product:brand', 'og:brand')),
    sku: nameLine(said('product:retailer_item_id')),
    gtin: gtinOf([said('product:gtin'), said('product:ean'), said('product:upc'), said('product:isbn')]),
    mpn: nameLine(said('product:mfr_part_no')),
    category: nameLine(said('product:category')),
    properties: properties.length > 0 ? properties : undefined,
    offers: Object.keys(offer).length > 0 ? [offer] : undefined,
  });
}

type Said = (...names: readonly string[]) => string;

function offerOf(said: Said): ProductOffer {
  const currency = currencyIn(said(...CURRENCIES));
  const price = priceIn(said(...PRICES), currency);
  return knownParts<ProductOffer>({
    ...rangeOf(price?.amounts ?? []),
    currency: price?.currency ?? undefined,
    availability: availabilityOf(said('product:availability', 'og:availability')),
    condition: conditionOf(said('product:condition')),
  });
}

function propertiesOf(said: Said): ProductProperty[] {
  const weight = property('weight', said('product:weight:value'), nameLine(said('product:weight:units')));
  return [...PAIRS.map((name) => property(name, said(`product:${name}`))), weight].filter((pair) => pair !== null);
}
