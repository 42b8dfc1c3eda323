/** When a pattern is parked, when not, and when it is let go. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Simhash } from '../../../src/base/core/types.ts';
import { simhash } from '../../../src/base/text/simhash.ts';
import { matches, patternsOf } from '../../../src/base/web/url-pattern.ts';
import { LruMap } from '../../../src/crawling/frontier/lru-map.ts';
import { type Outcome, Parking, type Visited } from '../../../src/crawling/frontier/parking.ts';
import { urlOf } from '../../support/frontier-values.ts';

/** A text of its own for each number: unlike any other. */
function textOf(n: number): Simhash {
  return simhash(Array.from({ length: 80 }, (_, i) => `w${n}x${i}`).join(' '));
}

/** A crawl as far as parking sees it: pages in order, and what their links gave. */
class Watched {
  readonly parking = new Parking();
  #order = 0;

  /** @param leadsTo new URLs it gave. @param known what else it was; off topic and unlike others, if not said */
  visit(url: string, leadsTo: readonly string[] = [], known: Partial<Outcome> = {}, way: readonly Visited[] = []): Visited {
    this.#order += 1;
    const patterns = patternsOf(urlOf(url));
    let within = 0;
    for (const [i, pattern] of patterns.entries()) if (leadsTo.every((to) => matches(pattern, urlOf(to)))) within |= 1 << i;
    const outcome = {
      onTopic: false,
      copy: false,
      gone: false,
      simhash: textOf(this.#order),
      ledToNew: leadsTo.length > 0,
      within,
      ...known,
    };
    const page = { url: urlOf(url), order: this.#order };
    this.parking.note(page, outcome, () => way);
    return page;
  }

  /** Why a URL is not asked, but for the number of pages. */
  reason(url: string, trusted = false, referrer: Visited | null = null): string | null {
    return this.parking.reasonFor(urlOf(url), trusted, () => referrer);
  }

  /** Visits until `url` is parked; stops at `most`. */
  until(url: string, most: number, visit: (i: number) => void): number {
    for (let i = 0; i < most; i++) {
      if (this.reason(url) !== null) return i;
      visit(i);
    }
    return most;
  }
}

const H = 'http://a.test';
const OUT = 'http://elsewhere.test/';
/** Enough on-topic pages elsewhere that the crawl as a whole finds one in two. */
function richly(crawl: Watched): Watched {
  for (let i = 0; i < 400; i++) crawl.visit(`http://good${i % 7}.test/p${i}x`, [OUT], { onTopic: true });
  return crawl;
}

describe('is parked', () => {
  test('pages that lead only to more of their kind, at the twenty-fourth', () => {
    const crawl = new Watched();
    const count = crawl.until(`${H}/cal/2031/1`, 100, (i) => crawl.visit(`${H}/cal/${2000 + i}/1`, [`${H}/cal/${2001 + i}/1`]));
    expect(count).toBe(24);
    expect(crawl.reason(`${H}/cal/2031/1`)).toBe(
      'pattern http://a.test/cal/#/#: 24 off-topic pages that lead only to more of them, of 24 in a row',
    );
    expect(crawl.reason(`${H}/cal/about`)).toBeNull();
    // An on-topic page links to it: that is another thing.
    expect(crawl.reason(`${H}/cal/2031/1`, true)).toBeNull();
  });

  describe('copies in a row, on topic, that lead to new URLs', () => {
    /** Two texts in turn, with new words in the path each time. */
    const word = (i: number) => [...String(i)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    const copy = (n: number): Partial<Outcome> => ({ onTopic: true, simhash: textOf(n % 2) });
    const next = (i: number) => `${H}/${word(i)}/${word(i + 1)}`;

    test('at the forty-eighth, for the links on them, not for those on other pages', () => {
      const crawl = new Watched();
      const first = crawl.visit(`${H}/`, [next(0)], copy(0));
      let last = first;
      for (let i = 0; i < 49; i++) {
        expect(crawl.reason(next(99), true, last)).toBeNull();
        last = crawl.visit(next(i), [next(i + 1)], copy(i + 1));
      }
      expect(crawl.reason(next(99), true, last)).toBe('pattern http://a.test/*: 48 copies in a row, so the links on them are not followed');
      expect(crawl.reason(next(99), true, first)).toBeNull();
      expect(crawl.reason(next(99), true, { url: urlOf(OUT), order: 99 })).toBeNull();
      expect(crawl.reason('http://b.test/', true, last)).toBeNull();
      // News of the host ends it.
      crawl.visit(`${H}/news`, [], { onTopic: true });
      expect(crawl.reason(next(99), true, last)).toBeNull();
    });

    test('not if another page comes between; a page that is gone does not count', () => {
      const crawl = new Watched();
      let last = crawl.visit(`${H}/`, [next(0)], copy(0));
      for (let i = 0; i < 200; i++) {
        last = crawl.visit(next(i), [next(i + 1)], i % 40 === 39 ? { onTopic: i % 80 === 79 } : copy(i + 1));
        expect(crawl.reason(next(999), true, last)).toBeNull();
      }
      const gone = new Watched();
      last = gone.visit(`${H}/`, [next(0)], copy(0));
      for (let i = 0; i < 60; i++) {
        if (i % 6 === 5) gone.visit(`${H}/gone-${word(i)}`, [], { simhash: null });
        else last = gone.visit(next(i), [next(i + 1)], copy(i + 1));
      }
      expect(gone.reason(next(999), true, last)).toContain('48 copies in a row');
    });

    test('of one directory park that directory alone; of many hosts, the domain', () => {
      const crawl = new Watched();
      const print = (i: number) => `${H}/print/${word(i)}`;
      let last = crawl.visit(`${H}/`, [], copy(0));
      crawl.visit(`${H}/x`, [], copy(1));
      for (let i = 0; i < 60; i++) last = crawl.visit(print(i), [`${H}/${word(i)}`], copy(i));
      expect(crawl.reason(print(99), true, last)).toContain('http://a.test/print/*');
      expect(crawl.reason(`${H}/other`, true, last)).toBeNull();

      const farm = new Watched();
      const host = (i: number) => `http://${word(i)}.farm.test/`;
      for (let i = 0; i < 51; i++) last = farm.visit(host(i), [host(i + 1)], copy(i));
      expect(farm.reason(host(999), true, last)).toContain('*.farm.test: 48 copies in a row');
    });
  });

  test('dead links in a row of a directory and then of a host, whoever links to them; one page that is alive begins anew', () => {
    const crawl = new Watched();
    const slug = (i: number) => [...String(i)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    const dead = (url: string) => crawl.visit(url, [], { simhash: null, gone: true });
    for (let i = 0; i < 90; i++)
      if (i === 45) crawl.visit(`${H}/old/alive`);
      else dead(`${H}/old/${slug(i)}`);
    expect(crawl.reason(`${H}/old/x`, true)).toBeNull();
    for (let i = 90; i < 95; i++) dead(`${H}/old/${slug(i)}`);
    expect(crawl.reason(`${H}/old/x`, true)).toBe('pattern http://a.test/old/*: 48 dead links in a row');
    expect(crawl.reason(`${H}/new/x`, true)).toBeNull();
    for (let i = 0; i < 48; i++) dead(`${H}/${slug(i)}/${slug(i)}`);
    expect(crawl.reason(`${H}/new/x`, true)).toBe('pattern http://a.test/*: 48 dead links in a row');
    expect(crawl.reason('http://b.test/x', true)).toBeNull();
    crawl.visit(`${H}/news`, [], { onTopic: true });
    expect(crawl.reason(`${H}/new/x`, true)).toBeNull();
  });

  test('near-duplicates that lead nowhere new, at the sixteenth, and then whoever links to them', () => {
    const crawl = new Watched();
    const count = crawl.until(`${H}/list-0`, 100, (i) => crawl.visit(`${H}/list-${i}`, [], { simhash: textOf(1) }));
    expect(count).toBe(17);
    expect(crawl.reason(`${H}/list-0`, true)).toBe('pattern http://a.test/list-#: 16 near-duplicate pages of 17 in a row without news');
    expect(crawl.reason(`${H}/list-0?more`)).not.toBeNull();
    expect(crawl.reason(`${H}/other`)).toBeNull();
  });

  test('on-topic near-duplicates too, and copies of kept pages', () => {
    for (const known of [
      { onTopic: true, simhash: textOf(1) },
      { onTopic: true, copy: true },
    ]) {
      const crawl = new Watched();
      expect(crawl.until(`${H}/p-0`, 100, (i) => crawl.visit(`${H}/p-${i}`, [], known))).toBeLessThanOrEqual(17);
      expect(crawl.reason(`${H}/p-0`)).toMatch(/near-duplicate/);
      // They speak against the rule that made their URLs, not against the site.
      for (let i = 0; i < 200; i++) crawl.visit(`${H}/x/q${i}x`, [], known);
      expect(crawl.reason(`${H}/x/other`)).toBeNull();
    }
  });

  test('parameters that change nothing, at the eighth page: then each path is asked for once', () => {
    const crawl = new Watched();
    for (let i = 0; i < 4; i++) crawl.visit(`${H}/page-${i}`, [], { onTopic: true, simhash: textOf(i) });
    const again = (i: number) => crawl.visit(`${H}/page-${i % 4}?sid=${i}`, [], { onTopic: true, simhash: textOf(i % 4) });
    expect(crawl.until(`${H}/page-0?sid=99`, 100, again)).toBe(8);
    expect(crawl.reason(`${H}/page-3?sid=99`, true)).toMatch(
      /^pattern http:\/\/a\.test\/page-#\?sid: 8 pages in a row that other parameters had not changed/,
    );
    expect(crawl.reason(`${H}/page-4?sid=99`)).toBeNull();
    crawl.visit(`${H}/page-4?sid=99`, [], { onTopic: true });
    expect(crawl.reason(`${H}/page-4?sid=100`)).not.toBeNull();
  });

  test('a host of whose pages 200 in a row are off topic, in a crawl that finds something elsewhere', () => {
    const crawl = richly(new Watched());
    const count = crawl.until(`${H}/x/y`, 500, (i) => crawl.visit(`${H}/${'abc'[i % 3]}/w${i}x/`, [OUT + i]));
    expect(count).toBe(200);
    expect(crawl.reason(`${H}/x/y`)).toBe('pattern http://a.test/*: 200 off-topic pages in a row');
    expect(crawl.reason(`${H}/x/y`, true)).toBeNull();
  });

  test('a directory of near-duplicates whose paths differ, at the forty-eighth', () => {
    const crawl = new Watched();
    const name = (i: number) => String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26));
    const visit = (i: number) => {
      crawl.visit(`${H}/shop/${name(i)}/x`, [], { simhash: textOf(1) });
      crawl.visit(`${H}/news/${name(i)}`, [OUT + i]);
    };
    expect(crawl.until(`${H}/shop/zz/x`, 200, visit)).toBe(49);
    expect(crawl.reason(`${H}/news/zz`)).toBeNull();
  });

  test('a farm: hosts of one domain with near-duplicate pages', () => {
    const crawl = new Watched();
    const count = crawl.until('http://new.farm.test/', 200, (i) =>
      crawl.visit(`http://h${i}.farm.test/`, [`http://g${i}.farm.test/`], { simhash: textOf(1) }),
    );
    expect(count).toBe(49);
    expect(crawl.reason('http://new.farm.test/a/b?c')).toMatch(/^pattern \*\.farm\.test: /);
    expect(crawl.reason('http://farm2.test/')).toBeNull();
  });
});

describe('is not parked', () => {
  const MANY = 400;
  const never = (url: string, visit: (crawl: Watched, i: number) => void) => {
    const crawl = new Watched();
    expect(crawl.until(url, MANY, (i) => visit(crawl, i))).toBe(MANY);
  };

  test('a portal: near-duplicates that each lead somewhere new', () => {
    never(`${H}/portal/0`, (crawl, i) => crawl.visit(`${H}/portal/${i}`, [OUT + i], { simhash: textOf(1) }));
  });

  test('pages off topic in a crawl that has found nothing yet', () => {
    never(`${H}/x`, (crawl, i) => crawl.visit(`${H}/w${i}x`, [OUT + i]));
  });

  test('pages of which one in twenty is on topic, or leads to one that is', () => {
    never(`${H}/a/0`, (crawl, i) => {
      crawl.visit(`${H}/a/${i}`, [`${H}/a/${i + 1}`], { onTopic: i % 20 === 19 });
    });
    never(`${H}/a/0`, (crawl, i) => {
      const page = crawl.visit(`${H}/a/${i}`, [`${H}/a/${i + 1}`]);
      if (i % 20 === 19) crawl.visit(`http://b${i}.test/`, [], { onTopic: true }, [page]);
    });
  });

  test('but for one page that leads to many on-topic ones: it speaks for itself once', () => {
    const crawl = new Watched();
    const first = crawl.visit(`${H}/a/0`, [`${H}/a/1`]);
    const count = crawl.until(`${H}/a/0`, MANY, (i) => {
      crawl.visit(`${H}/a/${i}`, [`${H}/a/${i + 1}`]);
      crawl.visit(`http://b${i}.test/`, [], { onTopic: true }, [first]);
    });
    expect(count).toBeLessThan(60);
  });

  test('parameters of which some change the page', () => {
    never(`${H}/index?sid=0`, (crawl, i) => crawl.visit(`${H}/index?sid=${i}`, [OUT + i], { onTopic: true, simhash: textOf(i % 5) }));
  });

  test('a site with a few names, though its pages are near-duplicates', () => {
    never('http://new.site.test/', (crawl, i) =>
      crawl.visit(`http://h${i % 15}.site.test/${'abcdefghij'[i % 10]}/x${i}x/`, [`${OUT}${i}`], { simhash: textOf(1) }),
    );
  });

  test('a URL beside the trap', () => {
    const crawl = new Watched();
    crawl.until(`${H}/t?sid=1`, 100, (i) => crawl.visit(`${H}/t?sid=${i}`, [`${H}/t?sid=${i + 1}`]));
    for (const beside of [`${H}/t2?sid=1`, `${H}/t?id=1`, 'http://b.a.test/t?sid=1']) expect(crawl.reason(beside)).toBeNull();
  });
});

test('a host that was good is not given up for a flood of copies, nor a link from an on-topic page to any', () => {
  const crawl = new Watched();
  const name = (i: number) => String.fromCharCode(97 + (i % 26), 97 + (Math.floor(i / 26) % 26));
  for (let i = 0; i < 5; i++) crawl.visit(`${H}/${name(i)}/`, [], { onTopic: true });
  const copies = (most: number) => crawl.until(`${H}/zz/`, most, (i) => crawl.visit(`${H}/${name(i)}/x`, [], { simhash: textOf(0) }));
  expect(copies(200)).toBe(200);
  expect(copies(200)).toBeLessThan(100);
  expect(crawl.reason(`${H}/zz/`)).toMatch(/^pattern http:\/\/a\.test\/\*: /);
  expect(crawl.reason(`${H}/zz/`, true)).toBeNull();
});

describe('is let go', () => {
  const trapped = () => {
    const crawl = new Watched();
    for (let i = 0; i < 40; i++) crawl.visit(`${H}/cal/${i}`, [`${H}/cal/${i + 1}`]);
    expect(crawl.reason(`${H}/cal/99`)).not.toBeNull();
    return crawl;
  };

  test('when one of its pages turns out on topic, and is then given longer', () => {
    const crawl = trapped();
    crawl.visit(`${H}/cal/41`, [], { onTopic: true });
    expect(crawl.reason(`${H}/cal/99`)).toBeNull();
    // Two good pages in so many, one taken for granted: 48 in all, and 24 in a row.
    expect(crawl.until(`${H}/cal/99`, 100, (i) => crawl.visit(`${H}/cal/${100 + i}`, [`${H}/cal/${101 + i}`]))).toBe(24);
    crawl.visit(`${H}/cal/41`, [], { onTopic: true });
    crawl.visit(`${H}/cal/41`, [], { onTopic: true });
    expect(crawl.until(`${H}/cal/99`, 100, (i) => crawl.visit(`${H}/cal/${200 + i}`, [`${H}/cal/${201 + i}`]))).toBeGreaterThan(24);
  });

  test.each(['all', `${H}/cal/#`, `${H}/cal/*`, `${H}/*`, '*.a.test'])(
    'by the user, as %s, and parked again after as many pages',
    (name) => {
      const crawl = trapped();
      expect(crawl.parking.unpark(name)).toEqual([`${H}/cal/#`]);
      expect(crawl.parking.unpark(name)).toEqual([]);
      expect(crawl.reason(`${H}/cal/99`)).toBeNull();
      expect(crawl.until(`${H}/cal/99`, 100, (i) => crawl.visit(`${H}/cal/${100 + i}`, [`${H}/cal/${101 + i}`]))).toBe(24);
    },
  );

  test('not by the name of another', () => {
    const crawl = trapped();
    for (const name of ['http://b.test/*', `${H}/cal/#?x`, `${H}/calendar/*`, '', 'every']) expect(crawl.parking.unpark(name)).toEqual([]);
    expect(crawl.reason(`${H}/cal/99`)).not.toBeNull();
  });
});

/** Letters that tell pages apart: a number would make them one pattern. */
function letters(i: number): string {
  return String.fromCharCode(97 + (i % 26), 97 + (Math.floor(i / 26) % 26), 97 + Math.floor(i / 676));
}

describe('with its last page, not before: how many of a kind of pattern it takes, and no wider one with it', () => {
  type Visit = readonly [url: string, leadsTo: readonly string[], known?: Partial<Outcome>];
  const copy = { copy: true };
  /** Parameters of two names, so that each shape has half of the pages of its path. */
  const query = (i: number) => (i % 2 === 0 ? `?s=${i}` : `?t=${i}`);
  const page = letters;
  const rows: readonly (readonly [what: string, limit: number, name: string, visit: (i: number) => Visit])[] = [
    ['a shape of copies', 16, `${H}/s?n`, (i) => [`${H}/s?n=${i}`, [], copy]],
    ['a shape that leads into itself', 24, `${H}/s?n`, (i) => [`${H}/s?n=${i}`, [`${H}/s?n=${i + 1}`]]],
    ['a shape off topic', 200, `${H}/s?n`, (i) => [`${H}/s?n=${i}`, [OUT + i]]],
    ['a path of copies', 16, `${H}/p`, (i) => [`${H}/p${query(i)}`, [], copy]],
    ['a path that leads into itself', 24, `${H}/p`, (i) => [`${H}/p${query(i)}`, [`${H}/p${query(i + 1)}`]]],
    ['a path off topic', 200, `${H}/p`, (i) => [`${H}/p${query(i)}`, [OUT + i]]],
    ['a directory of copies', 48, `${H}/d/*`, (i) => [`${H}/d/${page(i)}`, [], copy]],
    ['a directory that leads into itself', 72, `${H}/d/*`, (i) => [`${H}/d/${page(i)}`, [`${H}/d/${page(i + 1)}`]]],
    ['a directory off topic', 200, `${H}/d/*`, (i) => [`${H}/d/${page(i)}`, [OUT + i]]],
    ['a host of copies', 48, `${H}/*`, (i) => [`${H}/${page(i)}`, [], copy]],
    ['a host off topic', 200, `${H}/*`, (i) => [`${H}/${page(i)}`, [OUT + i]]],
    ['sixteen hosts of copies', 48, '*.farm.test', (i) => [`http://h${i % 16}.farm.test/${page(i)}`, [], copy]],
  ];

  test.each(rows)('%s: %i', (_what, limit, name, visit) => {
    const crawl = richly(new Watched());
    for (let i = 0; i < limit; i++) {
      expect(crawl.reason(visit(0)[0]), `before page ${i + 1}`).toBeNull();
      crawl.visit(...visit(i));
    }
    expect(crawl.reason(visit(0)[0])).toMatch(`pattern ${name}: `);
    expect(crawl.reason('http://b.test/s?n=1')).toBeNull();
  });

  test('a host that leads into itself, in a crawl that finds nothing else: 200', () => {
    const crawl = new Watched();
    expect(crawl.until(`${H}/x`, 500, (i) => crawl.visit(`${H}/${letters(i)}`, [`${H}/${letters(i + 1)}`]))).toBe(200);
    expect(crawl.reason(`${H}/x`)).toBe(`pattern ${H}/*: 200 off-topic pages that lead only to more of them, of 200 in a row`);
  });

  test('a path of idle parameters of many names: 8', () => {
    const crawl = new Watched();
    for (let i = 0; i < 4; i++) crawl.visit(`${H}/page-${i}`, [OUT + i], { simhash: textOf(9000 + i) });
    const again = (i: number) => crawl.visit(`${H}/page-${i % 4}${query(i)}`, [], { simhash: textOf(9000 + (i % 4)) });
    expect(crawl.until(`${H}/page-1?t=99`, 100, again)).toBe(8);
    expect(crawl.reason(`${H}/page-1?t=99`)).toBe(
      `pattern ${H}/page-#: 8 pages in a row that other parameters had not changed, so each path is asked for once`,
    );
  });
});

test('a crawl that finds little is patient: none of so many is a tenth of its yield', () => {
  for (const [good, limit] of [
    [34, 255],
    [40, 200],
    [32, 480],
  ] as const) {
    const crawl = new Watched();
    for (let i = 0; i < good; i++) crawl.visit(`http://good${i}.test/`, [OUT], { onTopic: true });
    expect(crawl.until(`${H}/x`, 1000, (i) => crawl.visit(`${H}/${letters(i)}`, [OUT + i]))).toBe(limit);
  }
});

describe('evidence is of pages in a row', () => {
  test('parameters that changed one page begin anew', () => {
    const crawl = new Watched();
    const again = (i: number) => crawl.visit(`${H}/page?sid=${i}`, [], { onTopic: true, simhash: textOf(5000) });
    for (let i = 0; i < 7; i++) again(i);
    crawl.visit(`${H}/page?sid=7`, [], { onTopic: true, simhash: textOf(5001) });
    again(8);
    expect(crawl.until(`${H}/page?sid=99`, 50, (i) => again(9 + i))).toBe(8);
  });

  test('so does a page that they did not change, and that leads out of the pattern', () => {
    const crawl = new Watched();
    const again = (i: number, leadsTo: readonly string[] = []) =>
      crawl.visit(`${H}/page?sid=${i}`, leadsTo, { onTopic: true, simhash: textOf(5000) });
    for (let i = 0; i < 8; i++) again(i);
    again(8, [`${OUT}new`]);
    expect(crawl.until(`${H}/page?sid=99`, 50, (i) => again(9 + i))).toBe(8);
  });

  test('a page that leads out begins anew the count of those that do not; one that leads nowhere says nothing', () => {
    const crawl = new Watched();
    const inward = (i: number) => crawl.visit(`${H}/cal/${i}`, [`${H}/cal/${i + 1}`]);
    for (let i = 0; i < 23; i++) inward(i);
    crawl.visit(`${H}/cal/100`, [`${OUT}new`]);
    for (let i = 0; i < 23; i++) inward(200 + i);
    for (let i = 0; i < 20; i++) crawl.visit(`${H}/cal/${300 + i}`);
    expect(crawl.reason(`${H}/cal/0`)).toBeNull();
    inward(400);
    expect(crawl.reason(`${H}/cal/0`)).toMatch(/: 24 off-topic pages that lead only to more of them, of 68 in a row$/);
  });

  test('copies among others: half of all are enough, and fewer are not, however many', () => {
    const untilParked = (each: number) => {
      const crawl = new Watched();
      const isCopy = (i: number) => i % each === each - 1;
      return crawl.until(`${H}/s?n=x`, 300, (i) => crawl.visit(`${H}/s?n=${i}`, isCopy(i) ? [] : [OUT + i], { copy: isCopy(i) }));
    };
    expect([1, 2, 3].map(untilParked)).toEqual([16, 32, 300]);
  });

  test('copies of a rule that gave good pages are parked as soon; a host that gave some has as much longer', () => {
    const crawl = new Watched();
    for (let i = 0; i < 3; i++) crawl.visit(`${H}/s?n=${i}`, [], { onTopic: true });
    expect(crawl.until(`${H}/s?n=0`, 100, (i) => crawl.visit(`${H}/s?n=${9 + i}`, [], { copy: true }))).toBe(16);
    const host = new Watched();
    for (let i = 0; i < 3; i++) host.visit(`${H}/good/${letters(i)}/x`, [], { onTopic: true });
    // 48 for each good page and one more, of which three were the good ones themselves.
    expect(host.until(`${H}/zzz`, 400, (i) => host.visit(`${H}/${letters(i)}`, [], { copy: true }))).toBe(4 * 48 - 3);
  });
});

test("of the user's patterns all counts begin anew: idle parameters, copies and off-topic pages", () => {
  const crawl = new Watched();
  crawl.visit(`${H}/page`, [], { onTopic: true, simhash: textOf(7000) });
  const again = (i: number) => crawl.visit(`${H}/page?sid=${i}`, [], { onTopic: true, simhash: textOf(7000) });
  for (let i = 0; i < 12; i++) again(i);
  expect(crawl.parking.unpark('all').length).toBeGreaterThan(0);
  expect(crawl.until(`${H}/page?sid=99`, 50, (i) => again(100 + i))).toBe(8);
});

test('a page on the way counts for its patterns when it was settled after their last news, and once', () => {
  const crawl = new Watched();
  const inward = (i: number) => crawl.visit(`${H}/cal/${i}`, [`${H}/cal/${i + 1}`]);
  for (let i = 0; i < 10; i++) inward(i);
  const middle = inward(10);
  for (let i = 11; i < 24; i++) inward(i);
  expect(crawl.reason(`${H}/cal/0`)).not.toBeNull();
  crawl.visit('http://good.test/1', [], { onTopic: true }, [middle]);
  expect(crawl.reason(`${H}/cal/0`)).toBeNull();
  for (let i = 0; i < 24; i++) inward(100 + i);
  expect(crawl.reason(`${H}/cal/0`)).not.toBeNull();
  // It had its reward.
  crawl.visit('http://good.test/2', [], { onTopic: true }, [middle]);
  expect(crawl.reason(`${H}/cal/0`)).not.toBeNull();
});

test('what was visited before decides, and nothing else: told again it comes to the same', () => {
  const step = fc.record({ host: fc.nat(2), page: fc.nat(5), text: fc.nat(3), onTopic: fc.boolean(), leads: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const run = (look: boolean) => {
        const crawl = new Watched();
        for (const { host, page, text, onTopic, leads } of steps) {
          crawl.visit(`http://h${host}.test/p-${page}?n=${text}`, leads === 0 ? [] : [`http://h${host + leads - 1}.test/p-9?n=9`], {
            onTopic: onTopic && text === 0,
            simhash: textOf(text),
          });
          if (look) crawl.reason(`http://h${host}.test/p-${page}`);
        }
        return [0, 1, 2].map((host) => crawl.reason(`http://h${host}.test/p-0?n=7`));
      };
      expect(run(true)).toEqual(run(false));
    }),
  );
});

test('what is remembered is bounded: the key used last is kept, the one used the longest ago goes', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9).map(String), { maxLength: 60 }), fc.integer({ min: 1, max: 6 }), (keys, capacity) => {
      const recently = new LruMap<{ uses: number }>(capacity);
      for (const key of keys) recently.use(key, () => ({ uses: 0 })).uses += 1;
      const last = [...new Set(keys.toReversed())].slice(0, capacity);
      expect([...recently.entries()].map(([key]) => key)).toEqual(last.toReversed());
      for (const key of '0123456789') expect(recently.has(key)).toBe(last.includes(key));
    }),
  );
});
