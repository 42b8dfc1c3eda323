import { hasMail } from '../personal/mail-urls.ts';
import { foundKinds, PERSONAL_KINDS, type PersonalCounts, type PersonalKind } from '../personal/personal-names.ts';
import type { PersonalFacts } from './harvest-facts.ts';
import type { HarvestedPage } from './harvested-page.ts';

/** Sums of the column `personal`. */
export class PersonalSums {
  readonly #finds = zeros();
  readonly #pages = zeros();
  #any = 0;
  #urls = 0;
  #isSearched = false;

  add({ personal, url }: Pick<HarvestedPage, 'personal' | 'url'>): void {
    if (personal === undefined) return;
    this.#isSearched = true;
    for (const kind of PERSONAL_KINDS) {
      this.#finds[kind] += personal[kind];
      this.#pages[kind] += Number(personal[kind] > 0);
    }
    this.#any += Number(foundKinds(personal) !== null);
    this.#urls += Number(hasMail(url));
  }

  /** @returns {} if no page had the column */
  facts(): { readonly personal?: PersonalFacts } {
    if (!this.#isSearched) return {};
    return { personal: { finds: this.#finds, pages: this.#pages, pagesWithAny: this.#any, urls: this.#urls } };
  }
}

function zeros(): Record<PersonalKind, number> & PersonalCounts {
  return { mail: 0, phone: 0, iban: 0, card: 0, ip: 0, id: 0 };
}
