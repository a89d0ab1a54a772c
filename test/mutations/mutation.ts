/** One deliberate fault in the source that at least one test must notice. */
export interface Mutation {
  /** Path from the repository's root. */
  file: string;
  /** Source text that occurs exactly once in the file. */
  find: string;
  replace: string;
  /** What would go wrong for a user. */
  harm: string;
}

/** Mutations of one module with the tests that must catch them. */
export interface MutationSet {
  module: string;
  /** Test files or folders. */
  tests: readonly string[];
  /** Only tests whose full name matches this pattern. */
  titles?: string;
  mutations: readonly Mutation[];
}
