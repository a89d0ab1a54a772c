/**
 * Options of a test that runs for each entry of a list: in the first tier only where it stands for the others
 * (test/README.md).
 */
export const tier = (isFirst: boolean): { tags?: ['thorough'] } => (isFirst ? {} : { tags: ['thorough'] });
