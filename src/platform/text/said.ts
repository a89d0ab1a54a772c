/** A text of the catalogue by its name, which pages and messages word in the reader’s language. No patient data. */
export interface Said {
  /** Unknown where another version of clinic-sync said it. */
  code: string;
  /** By placeholder; one of them may be a text of its own. */
  values: Readonly<Record<string, string | number | Said>>;
}

/** `'who' | 'when'` of `{who} came {when}`. */
export type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

export const PLACEHOLDER = /\{(\w+)\}/g;
