/** The parts of a product in an object of schema.org: `Product`, `ProductGroup` with its variants, vehicles. */
import type { PageProduct, ProductProperty } from '../../base/core/types.ts';
import type { LinkResolver } from '../../base/web/link-resolver.ts';
import type { LinkedObject } from './json-ld.ts';
import { type LinkedGraph, listedValues, localName } from './linked-graph.ts';
import { offersOf } from './product-offers.ts';
import { gtinOf, knownParts, nameLine, property, proseOf, unitLine } from './product-parts.ts';

/** Types of products in schema.org 28, and the extensions for vehicles and drugs. */
export const PRODUCT_TYPE =
  /^(?:Product|ProductGroup|ProductModel|ProductCollection|IndividualProduct|SomeProducts|DietarySupplement|Drug|Vehicle|Car|Motorcycle|MotorizedBicycle|BusOrCoach)$/;

const GTIN = ['gtin13', 'gtin', 'gtin14', 'gtin12', 'gtin8', 'isbn', 'ean'] as const;
/** Properties of schema.org that are pairs of a specification. */
const SPECIFICATIONS = (
  'color material size pattern model manufacturer weight width height depth countryOfOrigin productionDate releaseDate ' +
  'vehicleModelDate mileageFromOdometer fuelType vehicleTransmission vehicleEngine driveWheelConfiguration bodyType numberOfDoors ' +
  'vehicleIdentificationNumber activeIngredient dosageForm'
).split(' ');
/** Signs of units by their codes (UN/CEFACT recommendation 20), for the most frequent ones. */
const UNITS: ReadonlyMap<string, string> = new Map(
  'KGM kg,GRM g,MGM mg,LBR lb,ONZ oz,MTR m,CMT cm,MMT mm,INH in,FOT ft,KMT km,SMI mi,LTR l,MLT ml,CLT cl,WTT W,KWT kW,VLT V,AMP A,HTZ Hz,CEL °C,P1 %'
    .split(',')
    .map((pair) => [pair.slice(0, pair.indexOf(' ')), pair.slice(pair.indexOf(' ') + 1)] as const),
);

export type ProductParts = Omit<PageProduct, 'sources'>;

/** The parts that an object states; those that a variant lacks, from its group. */
export function productOfNode(node: LinkedObject, graph: LinkedGraph, resolver: LinkResolver): ProductParts {
  const [group] = graph.objects(node['isVariantOf']);
  const own = partsOf(node, graph, resolver);
  return group === undefined ? own : { ...partsOf(group, graph, resolver), ...own };
}

function partsOf(node: LinkedObject, graph: LinkedGraph, resolver: LinkResolver): ProductParts {
  const text = (property: string) => graph.text(node[property]);
  return knownParts({
    name: nameLine(text('name')),
    description: proseOf(text('description')),
    brand: nameLine(text('brand')),
    sku: nameLine(text('sku')),
    gtin: gtinOf(GTIN.map(text)),
    mpn: nameLine(text('mpn')),
    category: nameLine(text('category')),
    properties: listed(propertiesOf(node, graph)),
    offers: listed(offersOf(node, graph, resolver)),
  });
}

function listed<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

function propertiesOf(node: LinkedObject, graph: LinkedGraph): ProductProperty[] {
  const stated = graph.objects(node['additionalProperty']).flatMap((pair) => propertyOf(graph.text(pair['name']), pair, graph) ?? []);
  const known = SPECIFICATIONS.flatMap((name) => (node[name] === undefined ? [] : (specificationOf(name, node[name], graph) ?? [])));
  return [...stated, ...known];
}

function specificationOf(name: string, value: unknown, graph: LinkedGraph): ProductProperty | null {
  const [quantity] = graph.objects(value).filter((object) => object['value'] !== undefined || object['minValue'] !== undefined);
  if (quantity !== undefined) return propertyOf(name, quantity, graph);
  return property(
    name,
    listedValues(value)
      .flatMap((item) => graph.text(item) || [])
      .join(', '),
    undefined,
  );
}

/** A `PropertyValue` or a `QuantitativeValue`: a value or a range, with its unit. */
function propertyOf(name: string, pair: LinkedObject, graph: LinkedGraph): ProductProperty | null {
  const inner = graph.objects(pair['value']).find((object) => object['value'] !== undefined || object['minValue'] !== undefined);
  const holder = inner ?? pair;
  const ends = [graph.text(holder['minValue']), graph.text(holder['maxValue'])].filter((end) => end !== '');
  const values = listedValues(holder['value']).flatMap((value) => (typeof value === 'boolean' ? String(value) : graph.text(value) || []));
  return property(name, values.length > 0 ? values.join(', ') : ends.join('–'), unitOf(holder, graph) ?? unitOf(pair, graph));
}

/** Words for a unit; else its code, as its sign if that is known. */
function unitOf(node: LinkedObject, graph: LinkedGraph): string | undefined {
  const code = localName(graph.text(node['unitCode']));
  return unitLine(graph.text(node['unitText'])) ?? unitLine(UNITS.get(code.toUpperCase()) ?? code);
}
