import type { IntakeRequest, VisitorTrouble } from '../../../src/connector.ts';
import type { FormDoubt } from './doubts.ts';
import { unknownHost } from './origin.ts';
import { BROWSER_FAILED, BROWSER_INSECURE } from './proof-of-work.ts';
import type { SentForm } from './sent.ts';

/** What a submission shows of something that its visitors run into. */
export function troubleOf(
  doubt: FormDoubt | undefined,
  sent: SentForm,
  request: IntakeRequest,
  { name, origins }: { name: string; origins: readonly string[] },
): VisitorTrouble | undefined {
  const host = unknownHost(request, name, origins);
  if (host !== undefined) return hostTrouble(host);
  switch (doubt) {
    case 'other_site':
      return otherSiteTrouble(sent.otherSite ?? '');
    case 'no_proof':
      return { cause: 'no_proof', ...noProof(sent.captcha) };
    case 'other_host':
      return otherHostTrouble(sent.provenOn ?? '');
    case 'no_pass':
      return sent.wasAsked ? cutFields : undefined;
    case 'trap':
      return trap;
    default:
      if (sent.otherPerson !== undefined) return cached;
      return sent.hasLostQuery ? queryLost : undefined;
  }
}

const hostTrouble = ({ page, host }: { page: string; host: string }): VisitorTrouble => ({
  cause: 'host',
  sentence: `Their browsers come from ${page}, but Host says ${host}: the proxy in front does not pass Host on.`,
  action: 'Let it pass Host on (nginx: `proxy_set_header Host $http_host;`), or set `http.public_url`.',
});

const otherSiteTrouble = (site: string): VisitorTrouble => ({
  cause: 'other_site',
  sentence:
    `They send a form on ${site || 'a website that hides its name'}, which \`origins\` does not list, and are ` +
    'asked once more.',
  action: 'Add the website to `origins` of this connector, if it is yours, and let it send its referrer.',
});

const otherHostTrouble = (host: string): VisitorTrouble => ({
  cause: 'other_host',
  sentence:
    `They pass the check for people on ${host.replace(/[^\w.-]/g, '')}, which is neither the host of ` +
    '`http.public_url` nor in `origins`, so their requests are held.',
  action: 'Add that website to `origins` of this connector, if the form is shown there.',
});

const noProof = (answer: string): Omit<VisitorTrouble, 'cause'> => {
  if (answer === BROWSER_INSECURE)
    return {
      sentence: 'The page around the form comes over http, where browsers do not offer the check for people.',
      action: 'Serve that page over https.',
    };
  return answer === '' || answer === BROWSER_FAILED
    ? {
        sentence: 'Their browsers did not do the check for people, so their requests are held.',
        action:
          'Exclude /in/ from what changes scripts (Cloudflare: Rocket Loader, minification). `clinic-sync ' +
          'doctor` compares them.',
      }
    : {
        sentence: 'They did not pass the check for people, so their requests are held.',
        action: 'Check the keys of `form.captcha`, and whether its provider is reachable.',
      };
};

const cutFields: VisitorTrouble = {
  cause: 'no_pass',
  sentence: 'The hidden fields of their forms do not arrive as they were sent, so their requests are held.',
  action: 'Look for a proxy or a script of the website that changes forms below /in/.',
};

const trap: VisitorTrouble = {
  cause: 'trap',
  sentence:
    'A field that people do not see was filled in, by a program or a password manager; they are asked again.',
  action: 'Nothing is lost. If there are many, look at what fills in the form.',
};

const queryLost: VisitorTrouble = {
  cause: 'query',
  sentence:
    'The address of their form loses its query on the way, so after sending they see an empty form instead of thanks.',
  action:
    'Let the proxy pass the query on where it shows the form under another address (Apache: the flag QSA).',
};

export const sentByGet: VisitorTrouble = {
  cause: 'method',
  sentence:
    'What they send arrives as GET, perhaps without what they typed: a redirect on the way, to https or ' +
    'another host, changed it.',
  action:
    'Let websites link, frame and post to the address that the redirect leads to, or redirect with 308; set ' +
    '`http.public_url`.',
};

const cached: VisitorTrouble = {
  cause: 'cached',
  sentence: 'The form page is being cached by something in front: strangers get the same one.',
  action: 'Exclude /in/ from its cache; the page says `Cache-Control: no-store`.',
};
