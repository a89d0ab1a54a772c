import { describe } from 'vitest';
import { describeConnector } from '../../test/conformance/connector/describe-connector.ts';
import { formToken } from '../../test/support/forms/web-form.ts';
import { webForm } from './web-form.ts';

describe.each(['native', 'html-form', 'jotform'])('preset %s', (preset) => {
  describeConnector({
    kind: webForm,
    abilities: ['intake'],
    async setUp() {
      return { settings: { preset, token: formToken }, contents: async () => '', tearDown: async () => {} };
    },
  });
});
