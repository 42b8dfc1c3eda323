/** The product of a page: out of JSON-LD, microdata, RDFa, metas and the specification in its text. */
import { describe, expect, test } from 'vitest';
import type { PageProduct } from '../../../src/base/core/types.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { expectWithin } from '../../support/cpu-time.ts';
import { page } from './page.ts';

const extractor = pageExtractor({ productToken: 'Forager' });
const productOf = (html: string): PageProduct | undefined => extractor.extract(page(html, 'https://shop.example/kettle')).product;

const PROSE =
  '<p>The kettle has a lid of steel, a handle of beech and a spout that pours without a drip, even when it is full to the brim.</p>';
const body = (inner = '') => `<body><main><h1>Copper kettle</h1>${PROSE}${inner}</main></body>`;
const jsonLd = (...values: unknown[]) =>
  values.map((value) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`).join('') + body();
const KETTLE = { '@context': 'https://schema.org', '@type': 'Product', name: 'Copper kettle' };

describe('JSON-LD', () => {
  test('all parts', () => {
    expect(
      productOf(
        jsonLd({
          ...KETTLE,
          description: '<p>Two litres.</p><p>Made in &quot;Delft&quot;.</p>',
          brand: { '@type': 'Brand', name: 'Ketel &amp; Zoon' },
          sku: 4711,
          gtin13: '8712345678906',
          mpn: 'CK-2',
          category: 'Kitchen > Kettles',
          color: ['red', 'brown'],
          weight: { '@type': 'QuantitativeValue', value: 1.2, unitCode: 'KGM' },
          additionalProperty: [
            { '@type': 'PropertyValue', name: 'Volume', value: 2, unitText: 'l' },
            { '@type': 'PropertyValue', name: 'Power', minValue: 1800, maxValue: 2200, unitCode: 'WTT' },
            { '@type': 'PropertyValue', name: 'Whistle', value: true },
          ],
          offers: {
            '@type': 'Offer',
            price: '49,95',
            priceCurrency: 'EUR',
            availability: 'http://schema.org/InStock',
            itemCondition: 'NewCondition',
            seller: { '@type': 'Organization', name: 'Pots and Pans' },
            url: '/kettle?size=2',
          },
        }),
      ),
    ).toEqual({
      name: 'Copper kettle',
      description: 'Two litres. Made in "Delft".',
      brand: 'Ketel & Zoon',
      sku: '4711',
      gtin: '8712345678906',
      mpn: 'CK-2',
      category: 'Kitchen > Kettles',
      properties: [
        { name: 'Volume', value: '2', unit: 'l' },
        { name: 'Power', value: '1800–2200', unit: 'W' },
        { name: 'Whistle', value: 'true' },
        { name: 'color', value: 'red, brown' },
        { name: 'weight', value: '1.2', unit: 'kg' },
      ],
      offers: [
        {
          price: 49.95,
          currency: 'EUR',
          availability: 'InStock',
          condition: 'NewCondition',
          seller: 'Pots and Pans',
          url: 'https://shop.example/kettle?size=2',
        },
      ],
      sources: ['json-ld'],
    });
  });

  test.each<[string, unknown, unknown]>([
    ['a currency sign', { price: '£1,299.00' }, [{ price: 1299, currency: 'GBP' }]],
    [
      'a range',
      { '@type': 'AggregateOffer', lowPrice: 5, highPrice: '9.50', priceCurrency: 'usd' },
      [{ lowPrice: 5, highPrice: 9.5, currency: 'USD' }],
    ],
    [
      'a range with its offers',
      {
        '@type': 'AggregateOffer',
        lowPrice: 5,
        priceCurrency: 'EUR',
        offers: [
          { price: 5, seller: 'A' },
          { price: 6, seller: { name: 'B' } },
        ],
      },
      [
        { lowPrice: 5, currency: 'EUR' },
        { price: 5, seller: 'A' },
        { price: 6, seller: 'B' },
      ],
    ],
    [
      'a price in a specification, and not that of delivery or a struck one',
      {
        priceSpecification: [
          { '@type': 'DeliveryChargeSpecification', price: 4.9, priceCurrency: 'EUR' },
          { '@type': 'UnitPriceSpecification', price: 30, priceCurrency: 'EUR', priceType: 'https://schema.org/ListPrice' },
          { '@type': 'UnitPriceSpecification', price: '25.00', priceCurrency: 'EUR' },
        ],
      },
      [{ price: 25, currency: 'EUR' }],
    ],
    [
      'several',
      [{ price: 1 }, { price: 1 }, { price: 2, availability: 'OutOfStock' }],
      [{ price: 1 }, { price: 2, availability: 'OutOfStock' }],
    ],
    ['words', { price: 'on request', availability: 'soon' }, undefined],
  ])('an offer with %s', (_, offers, expected) => expect(productOf(jsonLd({ ...KETTLE, offers }))?.offers).toEqual(expected));

  test('a group has the offers of its variants', () => {
    const variant = (size: string, price: number) => ({
      '@type': 'Product',
      name: `Kettle ${size}`,
      sku: `K${size}`,
      offers: { price, priceCurrency: 'SEK' },
    });
    expect(productOf(jsonLd({ ...KETTLE, '@type': 'ProductGroup', hasVariant: [variant('S', 200), variant('L', 300)] }))?.offers).toEqual([
      { name: 'Kettle S', sku: 'KS', price: 200, currency: 'SEK' },
      { name: 'Kettle L', sku: 'KL', price: 300, currency: 'SEK' },
    ]);
  });

  test('a variant has the other parts from its group', () => {
    const group = { '@type': 'ProductGroup', name: 'Kettles', brand: 'Ketel' };
    expect(productOf(jsonLd({ ...KETTLE, isVariantOf: group }))).toEqual({ name: 'Copper kettle', brand: 'Ketel', sources: ['json-ld'] });
  });

  test.each<[string, unknown]>([
    [
      'in a graph, with references',
      { '@graph': [{ '@type': 'WebPage' }, { ...KETTLE, brand: { '@id': '#b' } }, { '@id': '#b', name: 'Ketel' }] },
    ],
    ['in a list', [{ '@type': 'BreadcrumbList' }, { ...KETTLE, brand: ['Ketel', 'Zoon'] }]],
    ['as main entity', { '@type': 'ItemPage', mainEntity: { ...KETTLE, brand: 'Ketel' } }],
    ['as offered item', { '@type': 'Offer', itemOffered: { ...KETTLE, brand: 'Ketel' } }],
    ['of two types', { ...KETTLE, '@type': ['Product', 'Book'], brand: 'Ketel' }],
    ['by the address of its type', { ...KETTLE, '@type': 'http://schema.org/Product', brand: 'Ketel' }],
  ])('%s', (_, value) => expect(productOf(jsonLd(value))).toMatchObject({ name: 'Copper kettle', brand: 'Ketel' }));

  test('a script with a comma too many is read, and a broken one is harmless', () => {
    const script = (text: string) => `<script type="application/ld+json">${text}</script>${body()}`;
    expect(productOf(script('{"@type": "Product", "name": "Kettle", "sku": "1",}'))).toMatchObject({ name: 'Kettle', sku: '1' });
    expect(productOf(script('{"@type": "Product", "name": "Kett'))).toBeUndefined();
    expect(productOf(script('{"@type": "Product", "offers": {"offers": [null, 3, [[]], {"@id": 5}]}}'))).toBeUndefined();
  });
});

describe('which product', () => {
  const other = { ...KETTLE, name: 'Copper pan' };

  test('that with the heading of the page, of several', () => {
    expect(productOf(jsonLd(other, { ...KETTLE, name: 'copper  KETTLE' }))?.name).toBe('copper KETTLE');
  });

  test('that with the address of the page, of several', () => {
    expect(productOf(jsonLd({ ...other, url: 'https://shop.example/kettle' }, KETTLE))?.name).toBe('Copper pan');
  });

  test.each<[string, string]>([
    ['a list of products', jsonLd({ '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: KETTLE }, other] })],
    ['several products without one of the page', jsonLd({ ...KETTLE, name: 'Pot' }, other)],
    ['products that the page relates to', jsonLd({ '@type': 'Article', headline: 'Tea', mentions: KETTLE, isRelatedTo: KETTLE })],
    [
      'cards of products',
      `<main><h1>Sale</h1>${'<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Kettle X</b></div>'.replace('X', '1')}${'<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Kettle 2</b></div>'}${PROSE}</main>`,
    ],
    ['the word alone', `<script type="application/ld+json">{"@type":"Article","name":"Product"}</script>${body()}`],
    ['an article about a product', jsonLd({ '@type': 'Review', itemReviewed: KETTLE, reviewBody: 'Good.' })],
  ])('none: %s', (_, html) => expect(productOf(html)).toBeUndefined());
});

describe('items', () => {
  test('microdata, beside related products', () => {
    const html = `<main itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Copper kettle</h1>
      <div itemprop="brand" itemscope itemtype="http://schema.org/Brand"><meta itemprop="name" content="Ketel"></div>
      <div itemprop="description">${PROSE}<script>var x = "<p>";</script></div>
      <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price" content="49.95">49,95 €</span>
      <meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="http://schema.org/OutOfStock">
      <a itemprop="url" href="/kettle">Buy</a></div>
      <div itemprop="additionalProperty" itemscope itemtype="http://schema.org/PropertyValue"><i itemprop="name">Volume</i> <i itemprop="value">2 l</i></div></main>
      <aside><div itemscope itemtype="http://schema.org/Product"><a itemprop="name" href="/pan">Pan</a></div></aside>`;
    expect(productOf(html)).toEqual({
      name: 'Copper kettle',
      description:
        'The kettle has a lid of steel, a handle of beech and a spout that pours without a drip, even when it is full to the brim.',
      brand: 'Ketel',
      properties: [{ name: 'Volume', value: '2 l' }],
      offers: [{ price: 49.95, currency: 'EUR', availability: 'OutOfStock', url: 'https://shop.example/kettle' }],
      sources: ['microdata'],
    });
  });

  test('RDFa Lite', () => {
    const html = `<body vocab="https://schema.org/"><div typeof="Product"><h1 property="name">Théière</h1>${PROSE}
      <span property="brand" typeof="Brand">Ketel</span><div property="offers" typeof="Offer"><span property="price">1.299,00 €</span></div>
      <img property="image" src="a.png"></div></body>`;
    expect(productOf(html)).toEqual({ name: 'Théière', brand: 'Ketel', offers: [{ price: 1299, currency: 'EUR' }], sources: ['rdfa'] });
  });

  test('metas', () => {
    const metas = [
      ['og:type', 'product'],
      ['og:title', 'Kettle'],
      ['product:brand', 'Ketel'],
      ['product:price:amount', '20.00'],
      ['product:price:currency', 'PLN'],
      ['product:availability', 'in stock'],
      ['product:color', 'red'],
    ];
    const head = metas.map(([name, content]) => `<meta property="${name}" content="${content}">`).join('');
    expect(productOf(head + body())).toEqual({
      name: 'Kettle',
      brand: 'Ketel',
      properties: [{ name: 'color', value: 'red' }],
      offers: [{ price: 20, currency: 'PLN', availability: 'InStock' }],
      sources: ['meta'],
    });
  });

  test('of several sources, the first with a part counts', () => {
    const html = `<meta property="product:price:amount" content="7"><meta property="product:brand" content="Zoon">${jsonLd({ ...KETTLE, brand: 'Ketel' })}`;
    expect(productOf(html)).toEqual({ name: 'Copper kettle', brand: 'Ketel', offers: [{ price: 7 }], sources: ['json-ld', 'meta'] });
  });
});

describe('specifications in the text', () => {
  const stated = `<meta property="og:type" content="product"><meta property="og:title" content="Kettle">`;
  const pairs = (inner: string) => productOf(stated + body(`<h2>Specification</h2>${inner}${PROSE}`))?.properties;

  test.each([
    [
      'a table',
      '<table><tr><th>Weight</th><td>1.2 kg</td></tr><tr><th>Colour:</th><td>red</td></tr><tr><th>Made in</th><td>Delft</td></tr></table>',
    ],
    [
      'a table without heads',
      '<table><tr><td>Weight</td><td>1.2 kg</td></tr><tr><td>Colour</td><td>red</td></tr><tr><td>Made in</td><td>Delft</td></tr></table>',
    ],
    ['a definition list', '<dl><dt>Weight</dt><dd>1.2 kg</dd><dt>Colour:</dt><dd>red</dd><dt>Made in</dt><dd>Delft</dd></dl>'],
    ['a list', '<ul><li>Weight: 1.2 kg</li><li><b>Colour</b>: red</li><li>Made in：Delft</li></ul>'],
  ])('%s', (_, inner) =>
    expect(pairs(inner)).toEqual([
      { name: 'Weight', value: '1.2 kg' },
      { name: 'Colour', value: 'red' },
      { name: 'Made in', value: 'Delft' },
    ]),
  );

  test('long cells, several definitions', () => {
    const long = 'a lid that closes by itself as soon as the water boils, so that no steam is lost in the kitchen';
    const table = `<table><tr><th>Lid</th><td>${long}</td></tr><tr><th>Spout and handle of it, both made by hand in our own shop</th><td>${long}</td></tr></table>`;
    expect(pairs(table)).toEqual([
      { name: 'Lid', value: long },
      { name: 'Spout and handle of it, both made by hand in our own shop', value: long },
    ]);
    expect(pairs('<dl><dt>Colour</dt><dd>red</dd><dd>blue</dd><dt>Size</dt><dd>2 l</dd></dl>')).toEqual([
      { name: 'Colour', value: 'red, blue' },
      { name: 'Size', value: '2 l' },
    ]);
  });

  test.each([
    [
      'a table of three columns',
      '<table><tr><th>Size</th><th>EU</th><th>UK</th></tr><tr><td>S</td><td>36</td><td>8</td></tr><tr><td>M</td><td>38</td><td>10</td></tr></table>',
    ],
    [
      'a list of sentences',
      '<ul><li>Care: rinse it with warm water and dry it.</li><li>Use: on gas, and on induction with a plate.</li></ul>',
    ],
    ['a list of words', '<ul><li>of copper</li><li>of steel</li><li>Note: of beech</li></ul>'],
  ])('no pairs: %s', (_, inner) => expect(pairs(inner)).toBeUndefined());

  test('a page that states no product has none', () => {
    expect(productOf(body('<table><tr><th>Weight</th><td>1 kg</td></tr><tr><th>Colour</th><td>red</td></tr></table>'))).toBeUndefined();
  });
});

test('counts and lengths are limited', () => {
  const properties = Array.from({ length: 300 }, (_, i) => ({ name: `p${i} ${'x'.repeat(400)}`, value: 'y'.repeat(1100) }));
  const offers = Array.from({ length: 1000 }, (_, i) => ({ price: i }));
  const product = productOf(jsonLd({ ...KETTLE, description: 'd '.repeat(20_000), additionalProperty: properties, offers }));
  expect(product?.description?.length).toBeLessThanOrEqual(10_000);
  expect(product?.offers?.length).toBe(100);
  expect(JSON.stringify(product?.properties).length).toBeLessThan(50_000);
});

test.each<[string, () => string]>([
  [
    'references in circles',
    () =>
      jsonLd({
        '@graph': Array.from({ length: 300 }, (_, i) => ({
          ...KETTLE,
          '@id': `#${i}`,
          mainEntity: Array.from({ length: 300 }, (_, k) => ({ '@id': `#${k}` })),
        })),
      }),
  ],
  ['variants in variants', () => jsonLd(Array.from({ length: 3000 }).reduce<object>((inner) => ({ ...KETTLE, hasVariant: inner }), {}))],
  ['items in items', () => '<div itemscope itemtype="https://schema.org/Product"><p itemprop=description>'.repeat(3000) + PROSE],
  [
    'scripts without end in a value',
    () => `<div itemscope itemtype="https://schema.org/Product"><p itemprop=description>${'<script '.repeat(20_000)}`,
  ],
])('takes little time: %s', (_, html) => {
  const text = html();
  expectWithin(1_500, () => productOf(text));
});
