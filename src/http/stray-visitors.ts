import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpIntake, MirrorView, VisitorTrouble } from '../connector.ts';
import { html } from '../platform/text/html.ts';
import { sendHtml } from './answers.ts';
import { localeFor } from './language.ts';
import { messagePage } from './pages/message-page.ts';
import type { VisitorTroubles } from './visitor-troubles.ts';

interface Intakes {
  keys?(): Iterable<string>;
  get(name: string): { intake: HttpIntake; view: MirrorView } | undefined;
}

export type Stray = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Answers visitors whose address leads to no form with words and the clinic's number, if there is one alone, and tells
 * whoever runs it which address that was.
 */
export const createStray =
  (intakes: Intakes, troubles: VisitorTroubles): Stray =>
  async (request, reply) => {
    const note = (name: string, trouble: VisitorTrouble) => {
      troubles.note(name, trouble);
      intakes.get(name)?.intake.trouble?.(trouble);
    };
    const forms = [...(intakes.keys?.() ?? [])].filter((name) => intakes.get(name)?.intake.visitors);
    const [path = ''] = request.originalUrl.split(/[?&#]/, 1);
    const [first] = forms;
    // A longer one, or one in other words, may name a patient.
    if (first !== undefined && /^(?:\/[\w-]{1,30}){0,4}\/(?:form|embed\.js)\/?$/i.test(path))
      note(first, {
        cause: 'path',
        sentence: `They open ${path}, where no form is.`,
        action:
          'Correct the link, or what the proxy in front makes of the ' +
          `path: here the form is at /in/${first}/form.`,
      });
    const phone = await onlyPhone(intakes, forms);
    const locale = localeFor(request);
    const { t, rich } = locale;
    const link =
      phone && html`<a href="tel:${phone.replace(/[^+\d]/g, '')}"><bdi dir="ltr">${phone}</bdi></a>`;
    const text = html`${t('stray')}${link && html` ${rich('stray_call', { phone: link })}`}`;
    return sendHtml(reply.code(404), messagePage({ locale, title: t('refusal_404'), text, bare: true }));
  };

async function onlyPhone(intakes: Intakes, forms: readonly string[]): Promise<string | undefined> {
  const found = await Promise.all(
    forms.map(async (name) => {
      const { intake, view } = intakes.get(name) ?? {};
      return view && (await intake?.phone?.(view).catch(() => undefined));
    }),
  );
  const [phone, ...others] = new Set(found.filter((one) => one !== undefined));
  return others.length === 0 ? phone : undefined;
}
