/** All English of the page, for those who translate it. Values of the crawl stand as they are in the command line's JSON. */

const count = new Intl.NumberFormat('en');
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** With thousands apart: 12,345. */
export function countText(number: number): string {
  return count.format(number);
}

/** A share as a percentage with one decimal: 12.3%. */
export function shareText(share: number): string {
  return percent.format(share);
}

/** A relevance or priority, as the command line prints it. */
export function unitText(value: number): string {
  return value.toFixed(4);
}

/** A part of a logit, as `forager why` prints it. */
export function signedText(value: number): string {
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(6)}`;
}

/** A moment in the time zone of the machine: 14:03:05. */
export function timeText(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

/** Hours and minutes, or minutes and seconds below an hour. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

export const STRINGS = {
  screens: 'Screens',
  openPage: 'Open on the web',
  show: 'Show',
  noSuchPage: 'There is no such page.',
  noSuchMethod: 'This address is not used in that way.',
  notFromPage: 'This was not sent by the page itself, so nothing was done.',
  tooLarge: 'the form is larger than 4 MB; send less at once',
  failed: 'This did not work',
  skip: 'To the content',
  asOf: (time: string) => `Counted at ${time}`,
  nav: {
    overview: 'Overview',
    label: 'Label',
    pages: 'Pages',
    frontier: 'Frontier',
    hosts: 'Hosts',
  },
  states: {
    opening: 'opening',
    running: 'running',
    paused: 'paused',
    stopping: 'stopping: pages in flight are finished',
    'perhaps-running': 'perhaps running, on another machine',
    drained: 'ended: no URL waits',
    'max-pages': 'stopped: the page budget is spent',
    'max-time': 'stopped: the time was up',
    'low-yield': 'stopped: too few of the last visits were on topic by the model',
    interrupted: 'stopped: interrupted',
    'disk-full': 'stopped: the disk was nearly full',
    'low-memory': 'stopped: memory was nearly full',
    killed: 'killed; the same forager crawl command resumes it',
  } as Readonly<Record<string, string>>,
  run: { pause: 'Pause', resume: 'Resume', stop: 'Stop' },
  overview: {
    title: 'Overview',
    visited: 'Visited',
    ofBudget: (budget: string) => `of ${budget}`,
    kept: 'Kept by the model',
    keptShort: 'Kept',
    discovered: 'Discovered',
    onHosts: (hosts: string) => `on ${hosts} hosts`,
    waiting: 'Waiting',
    timeLeft: 'Time left',
    worth: 'Is it still worth it?',
    worthModel: 'By the model, not measured.',
    recent: (onTopic: string, visits: string) => `${onTopic} of the last ${visits} visits are on topic by the model.`,
    outlook: (requests: string, onTopic: string, low: string, high: string) =>
      `Of the next ${requests} visits, about ${onTopic} will be on topic (${low} to ${high}).`,
    noOutlook: 'No forecast before 100 visits.',
    curve: 'On-topic share by visits',
    trust: 'Can I trust it?',
    precision: (share: string, low: string, high: string, answers: string) =>
      `Precision of the kept pages: ${share} (${low} to ${high}, 95 % interval), from ${answers} random pages that a person judged.`,
    noPrecision: 'The precision has never been measured.',
    fewDrawn: (answered: string, needed: string) => `${answered} of ${needed} random answers so far.`,
    measure: 'Measure it',
    saturated: (onTopic: string, of: string) =>
      `The model may no longer choose: ${onTopic} of the last ${of} judged pages are on topic by it.`,
    commonTerms: (terms: string) => `The strongest terms of the model say nothing about a subject: ${terms}.`,
    doubts: {
      'one-host': 'All examples are of one host, so the model may know the host and not the subject.',
      'two-hosts': 'The examples are of two hosts, so the model may know the hosts and not the subject.',
      'unknown-hosts': 'The hosts of the examples are not known.',
      'unlike-training': 'The relevances of this crawl are unlike those of the training.',
    } as Readonly<Record<string, string>>,
    wholeHosts: 'Hosts of which over 90 % of 20 visits or more is kept:',
    wrong: 'What is wrong?',
    nothingWrong: 'Nothing to report.',
    faults: 'Damaged',
    retried: 'Hosts with failed requests, tried again',
    nextTry: 'Next try',
    tries: 'Tries',
    reason: 'Reason',
    givenUp: 'Hosts given up for this run',
    parked: 'Parked URLs',
    ends: 'Refused, failed and reopened URLs',
    last: 'Last pages',
    noLast: 'No page has been visited yet.',
    why: 'Why?',
    topHosts: 'Hosts with the most kept pages',
    host: 'Host',
    url: 'URL',
    relevance: 'Relevance',
    state: 'State',
    urls: 'URLs',
    share: 'Share of the corpus',
    allHosts: 'All hosts',
  },
  pages: {
    title: 'Pages',
    lines: 'Discovered URLs',
    any: 'any',
    none: 'No URL has all of that.',
    state: 'State',
    reason: 'Reason',
    host: 'Host contains',
    text: 'URL or anchor contains',
    least: 'Relevance from',
    most: 'to',
    order: 'Visit',
    relevance: 'Relevance',
    priority: 'Priority',
    depth: 'Depth',
    url: 'URL',
    anchor: 'Anchor text',
    read: (lines: string) => `${lines} lines of the ledger were read.`,
    more: 'More',
  },
  why: {
    title: 'Why?',
    state: 'State',
    status: 'HTTP status',
    depth: 'Depth',
    order: 'Visit',
    explored: 'drawn at random',
    fetchedAt: 'Requested',
    revisited: 'Last revisit',
    page: 'Page',
    notJudged: 'The page was not judged.',
    relevance: (relevance: string, threshold: string) => `Relevance ${relevance}, threshold ${threshold}.`,
    onTopic: 'On topic by the model.',
    offTopic: 'Off topic by the model.',
    rule: (rule: string, relevance: string) => `The rule of the topic has the last word: ${rule}. Relevance by the rule: ${relevance}.`,
    otherTopics: 'By the other topics',
    link: 'Link',
    seed: 'It is a seed: no link led here, and its priority is 1.',
    from: 'From',
    referrer: (relevance: string) => `(relevance ${relevance}).`,
    anchor: 'Anchor text',
    priority: (priority: string, pages: string) => `Priority ${priority}, scored after lessons from ${pages} pages.`,
    sum: 'Contributions to the logit',
    smaller: (count: string) => `${count} smaller contributions`,
    bias: 'bias',
    logit: '= logit',
  },
  hosts: {
    title: 'Hosts',
    host: 'Host',
    by: 'Most',
    kept: 'Kept',
    visited: 'Visited',
    yield: 'Kept of visited',
    waiting: 'Waiting',
    parked: 'Parked',
    failed: 'Failed',
    refused: 'Refused',
    next: 'Next try',
    givenUp: 'given up for this run',
    none: 'No host has that in its name.',
    omitted: (count: string) => `${count} more hosts are not shown.`,
    interval: (share: string, low: string, high: string) => `${share} (${low} to ${high})`,
  },
  frontier: {
    title: 'Frontier',
    bands: 'Waiting URLs by priority',
    band: (low: string, high: string) => `${low} to ${high}`,
    priority: 'Priority',
    depths: 'Waiting URLs by depth',
    depth: 'Depth',
    byHost: 'Hosts with the most waiting URLs',
    host: 'Host',
    urls: 'URLs',
    none: 'None.',
    parked: 'Parked URLs',
    reason: 'Reason',
    release: 'To release all patterns:',
    explored: 'Random visits',
    noExplored: 'No visit was drawn at random; the option of a crawl is --explore.',
    exploredText: (visits: string, onTopic: string, share: string) =>
      `${onTopic} of ${visits} random visits are on topic by the model (${share}).`,
  },
  label: {
    title: 'Label',
    mode: 'Mode',
    modes: { teach: 'Teach', measure: 'Measure' },
    none: 'No page is left to ask about.',
    untitled: '(without a title)',
    queues: {
      uncertain: 'Teach: the model is unsure, the page is nearest to the threshold.',
      'new-host': 'New hosts: high relevance, on a host not seen in training or labels.',
      random: 'Measure: drawn at random, to estimate shares.',
      spread: 'The crawl asks about pages of all hosts, directories and relevances.',
    },
    answers: { y: 'On topic (y)', n: 'Off topic (n)', s: 'Skip (s)' },
    undo: 'Undo (u)',
    kept: 'In the corpus.',
    notKept: 'Not in the corpus.',
    text: 'Text of the page',
    noText: '(no text)',
    estimate: 'Precision',
    counts: (yes: string, no: string, skipped: string) => `${yes} yes, ${no} no, ${skipped} skipped.`,
    noPrecision: 'Not measured: no random page has an answer.',
    precision: (share: string, low: string, high: string, answers: string) =>
      `${share} of the kept pages are on topic (${low} to ${high}, 95 % interval), from ${answers} random pages.`,
    enough: 'The margin is at most ±10 points.',
    more: (count: string) => `${count} more random answers for ±10 points.`,
    training: 'Training',
    trainsHere: 'Trains the topic again with the labels, and judges all pages and links again.',
    trainsCrawl: 'The running crawl trains the topic again with the labels.',
    train: 'Train with the labels',
    requested: 'The crawl has been asked to train.',
    active: (model: string, threshold: string) => `Model ${model} is active, threshold ${threshold}.`,
    notActive: 'The new model is worse on held-out labels, so the old one stays active.',
    undone: (model: string, threshold: string) => `Model ${model} is active again, threshold ${threshold}.`,
    effect: (before: string, after: string, pages: string) =>
      `Average precision on ${pages} held-out labels: ${before} before, ${after} after.`,
    changes: 'Judged pages',
    pages: 'Pages',
    number: 'Number',
    onTopicBefore: 'on topic before',
    onTopicNow: 'on topic now',
    nowOnTopic: 'newly on topic',
    noLongerOnTopic: 'no longer on topic',
    keptOffTopic: 'in the corpus and off topic',
    reopened: 'to be requested again',
    takeBack: 'Take back',
    disagreements: 'A language model answers differently',
    person: 'Person',
    model: 'Model',
    holds: 'While this session is open, no crawl can run in this directory. It closes after ten minutes without an answer.',
    leave: 'Close the session',
  },
} as const;
