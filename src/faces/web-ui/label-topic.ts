/** The topic that screens of labels are about, in a crawl of several: addresses and forms name it. */
import { isCrawlIn, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { topicIn } from './label-pieces.ts';
import { html, type Markup } from './markup.ts';
import { addressOf } from './pieces.ts';
import type { Asked, Reply, Route } from './route.ts';
import { STRINGS } from './strings.ts';

const TEXT = STRINGS.label;

/**
 * A route for crawls of several topics. A screen has links to each topic; without a topic it has nothing else. A crawl of one topic has the
 * route unchanged.
 */
export function ofTopic(route: Route): Route {
  if (route.of !== 'crawl' || route.method !== 'GET') return route;
  return {
    ...route,
    answer: async (asked: Asked) => {
      const topics = topicsIn(asked.place.dir);
      if (topics.length === 0) return route.answer(asked);
      const topic = topicIn(asked);
      return topic === null ? choiceOf(topics) : withTabs(await route.answer(asked), tabs(topics, topic, route.path));
    },
  };
}

/** None while a new crawl is being opened: the route says so. */
function topicsIn(dir: string): readonly string[] {
  return isCrawlIn(dir) ? readManifest(dir).topics.map(({ name }) => name) : [];
}

function choiceOf(topics: readonly string[]): Reply {
  const main = html`<h1>${TEXT.title}</h1><p>${TEXT.chooseTopic}</p>${tabs(topics, null, '/label')}`;
  return { kind: 'screen', title: TEXT.title, main };
}

function withTabs(reply: Reply, links: Markup): Reply {
  return reply.kind === 'screen' ? { ...reply, main: html`${links}${reply.main}` } : reply;
}

function tabs(topics: readonly string[], topic: string | null, path: string): Markup {
  const links = topics.map(
    (name) =>
      html`<li><a href="${addressOf(path, { topic: name })}"${name === topic && html` aria-current="true"`}><bdi>${name}</bdi></a></li>`,
  );
  return html`<nav class="modes" aria-label="${TEXT.topic}"><ul>${links}</ul></nav>`;
}
