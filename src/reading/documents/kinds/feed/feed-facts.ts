/** A feed, of any format. */
export interface Feed {
  readonly title: string | null;
  /** HTML. */
  readonly description: string;
  readonly authors: readonly string[];
  /** ISO 8601. */
  readonly updated: string | null;
  readonly language: string | null;
  readonly producer: string | null;
  readonly items: readonly FeedItem[];
  /** Entries are missing: the file is damaged or too long. */
  readonly cut: boolean;
}

export interface FeedItem {
  /** Text without markup. */
  readonly title: string | null;
  readonly href: string | null;
  readonly authors: readonly string[];
  /** ISO 8601. */
  readonly published: string | null;
  /** HTML. */
  readonly content: string;
}
