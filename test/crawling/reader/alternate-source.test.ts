import { expect, test } from 'vitest';
import { alternateSource } from '../../../src/crawling/reader/alternate-source.ts';

const TEXTS = {
  fr: 'Le marché de la vieille ville ouvre ses portes tous les samedis matin, au bord de la rivière.',
  de: 'Der Markt in der alten Stadt öffnet jeden Samstag am frühen Morgen, am Ufer des Flusses.',
  gl: 'O concello de Santiago anunciou hoxe que as obras da praza comezarán o vindeiro mes, coa participación dos veciños.',
};

test('a page is taken in a followed language, by its text or its declaration, and one without a known language as declared', async () => {
  const french = await alternateSource(['fr']);
  expect(french?.mayTake({ lang: null, text: TEXTS.fr })).toBe(true);
  expect(french?.mayTake({ lang: 'fr-CA', text: '' })).toBe(true);
  expect(french?.mayTake({ lang: 'fr-CA', text: TEXTS.de })).toBe(true);
  expect(french?.mayTake({ lang: null, text: '12 34' })).toBe(true);
  expect(french?.mayTake({ lang: 'de', text: TEXTS.de })).toBe(false);
  expect(french?.mayTake({ lang: null, text: TEXTS.de })).toBe(false);
  expect(french?.mayTake({ lang: 'de', text: '' })).toBe(false);
  expect((await alternateSource('all'))?.mayTake({ lang: 'de', text: TEXTS.de })).toBe(true);
});

test('a language that the detector does not know is that of the declaration', async () => {
  const galician = await alternateSource(['gl']);
  expect(galician?.languageOf({ lang: 'gl', text: TEXTS.gl })).not.toBe('gl');
  expect(galician?.mayTake({ lang: 'gl', text: TEXTS.gl })).toBe(true);
});
