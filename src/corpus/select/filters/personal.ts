import { hasMail } from '../../personal/mail-urls.ts';
import { foundKinds } from '../../personal/personal-names.ts';
import type { FilterRun, HarvestColumn, HarvestFilter } from '../harvest-filter.ts';

const SEARCHED =
  'mail addresses, telephone numbers, IBAN, payment cards, IP addresses, national numbers; names of persons are not searched for';

/** Pages with personal data. The grounds are counts: they quote nothing. */
export const personal = {
  name: 'personal',
  leaves: 'with personal data',
  describe({ personal: action }) {
    return action === 'omit' ? `pages with personal data omitted: ${SEARCHED}` : null;
  },
  begin({ personal: action }) {
    return action === 'omit' ? omitting() : null;
  },
} as const satisfies HarvestFilter;

/** Columns of personal data, and masks in its place. Comes after the steps that cut or mark paragraphs, whose hashes are those of the texts before. */
export const personalData = {
  name: 'personalData',
  describe({ personal: action }) {
    if (action !== 'mark' && action !== 'mask') return null;
    return `personal data ${action === 'mark' ? 'marked' : 'masked'}, with the columns personal and personalRanges: ${SEARCHED}`;
  },
  begin({ personal: action }) {
    return action === 'mark' || action === 'mask' ? adding(action) : null;
  },
} as const satisfies HarvestColumn;

async function omitting(): Promise<FilterRun> {
  // The rules of telephone numbers are loaded for those who ask for them.
  const { personalPage } = await import('../personal-page.ts');
  return {
    see({ record, lang }) {
      const found = foundKinds(personalPage({ ...record, lang }).counts);
      if (found !== null) return { found };
      return hasMail(record.url) ? { found: { mail: 1 } } : null;
    },
  };
}

async function adding(action: 'mark' | 'mask'): Promise<FilterRun> {
  const { personalPage } = await import('../personal-page.ts');
  return {
    adds: ['personal', 'personalRanges'],
    present(page) {
      const { counts, ranges, masked, masks } = personalPage(page);
      return action === 'mask'
        ? { ...masked, personal: counts, personalRanges: masks }
        : { ...page, personal: counts, personalRanges: ranges };
    },
  };
}
