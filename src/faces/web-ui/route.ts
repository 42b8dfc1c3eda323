/** The answers of the page: one row for each path and method, each in the file of its screen. */
import type { Markup } from './markup.ts';
import type { OpenedCrawl } from './opened-crawl.ts';
import type { Person } from './person.ts';
import type { Project } from './project.ts';

/** A request that passed the guards. */
interface Guarded {
  readonly query: URLSearchParams;
  /** Fields of the form; empty for GET. */
  readonly form: URLSearchParams;
  /** Token for the forms of the answer. */
  readonly formToken: string;
  readonly person: Person;
}

/** About a crawl. */
export interface Asked extends Guarded {
  readonly place: OpenedCrawl;
}

/** About the folder in which a crawl shall begin. */
export interface AskedOfProject extends Guarded {
  readonly project: Project;
}

export type Reply =
  /** A screen: its own part below the navigation. One with a script of its own does not renew itself. */
  | {
      readonly kind: 'screen';
      readonly title: string;
      readonly main: Markup;
      readonly script?: 'label';
      /** Stays as it is until the user loads it again. */
      readonly still?: true;
    }
  | { readonly kind: 'json'; readonly value: unknown }
  /** Redirects to the path to show after an action. */
  | { readonly kind: 'see'; readonly path: string; readonly cookie?: string }
  /** A file that the browser saves under a name. */
  | { readonly kind: 'file'; readonly text: string; readonly type: string; readonly name: string };

interface Routed<A> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** @throws CrawlerError for bad input, which is shown with its message */
  readonly answer: (asked: A) => Promise<Reply>;
}

export type CrawlRoute = Routed<Asked> & { readonly of: 'crawl' };
export type ProjectRoute = Routed<AskedOfProject> & { readonly of: 'project' };
export type Route = CrawlRoute | ProjectRoute;

/** A route that shows. GET changes nothing. */
export function get(path: string, answer: CrawlRoute['answer']): CrawlRoute {
  return { of: 'crawl', method: 'GET', path, answer };
}

/** A route that does something. */
export function post(path: string, answer: CrawlRoute['answer']): CrawlRoute {
  return { of: 'crawl', method: 'POST', path, answer };
}

/** A route of a project. */
export function ofProject(method: Route['method'], path: string, answer: ProjectRoute['answer']): ProjectRoute {
  return { of: 'project', method, path, answer };
}
