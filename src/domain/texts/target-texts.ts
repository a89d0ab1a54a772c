/**
 * Why a target of messages takes none, in English: what is wrong, and on a line of its own what to do. A text of one
 * line is what to do about an answer that needs no further words (`target_answered`).
 */
export const targetTexts = {
  target_answered: '{host} answered {answer}.\n{remedy}',
  target_unproven:
    '{host} answered {answer}, but not as {service} does: nobody was told.\nSomething else answers there, such as the sign-in page of a proxy. Check the address and the network.',
  heartbeat_unproven:
    '{host} answered {answer}, which is no receipt of a monitor.\nCheck the address: copy it from the monitor again.',
  target_unsure:
    '{host} took the message and did not answer.\nCheck whether it arrived there; it is told again, as a repetition.',
  target_plain:
    '{host} did not accept a message ({answer}), and took it in plain form.\nThe message named only the reference; the page has the rest.',
  target_content:
    '{host} did not accept a message ({answer}), not even in plain form.\nWhat it is about is told again later. Check which kind of target the address is for.',
  target_busy: 'It gets too many messages. Temporary: this one is sent again by itself.',
  target_broken: 'It has a problem itself. Temporary: the message is sent again by itself.',
  target_redirect: 'Redirects are not followed: configure the address it redirects to.',
  target_denied: 'Check the token or the secret, and that it may write there.',
  target_not_there: 'The address does not exist or was revoked. Copy it again, or make a new one.',
  target_refuses: 'Check which kind of target the address is for.',
  slack_archived: 'The channel is archived: restore it, or make a webhook for another channel.',
  slack_gone: 'The webhook was removed: make a new one in Slack and copy its address.',
  slack_forbidden: 'The workspace does not allow it: ask its administrator.',
  slack_channel: 'The channel was deleted: make a webhook for another one.',
  telegram_chat: 'Check `chat`: add the bot to the group, or let the person write to the bot once.',
  telegram_out: 'The bot was blocked or removed: unblock it, or add it to the chat again.',
  telegram_rights: 'Let the bot write in this chat: in a channel it must be an administrator.',
  telegram_token: 'The token is wrong or was revoked: get it from @BotFather again.',
  telegram_topic: 'The topic was closed or deleted: correct `thread`, or open the topic again.',
  telegram_moved:
    'The group became a supergroup, and its new number {answer} is used.\nSet `chat` to the new number.',
  teams_off: 'The workflow is switched off or was deleted: switch it on in Power Automate.',
  ntfy_quota:
    'The daily limit of this topic or address is used up: wait, use an account with a higher limit, or a server of your own.',
  mail_refused:
    '{host} refused the mail at {step} ({answer}).\nCheck from and to, and that this server may send for you.',
  mail_later: '{host} put the mail off at {step} ({answer}).\nTemporary: it is sent again by itself.',
  mail_closed: '{host} closed the connection at {step}.\nTemporary: the mail is sent again by itself.',
  mail_silent:
    '{host} did not answer at {step}.\nThe mail is sent again by itself. If this stays, check port and encryption: 465 is smtps://, 587 is smtp://.',
  mail_no_smtp: '{host} does not speak SMTP there.\nCheck host and port: 465 is smtps://, 587 is smtp://.',
  mail_sign_in: '{host} refused the sign-in ({answer}).\nCheck the user and the password.',
  mail_token:
    '{host} gave no token to sign in with ({answer}).\nSign in again and put the new refresh token in place; check client_id and client_secret.',
  mail_basic_off:
    '{host} no longer lets programs sign in with a password ({answer}).\nUse `oauth` (docs/notifications.md), or let an administrator allow SMTP AUTH for this mailbox.',
  mail_app_password:
    '{host} asks for an application password ({answer}).\nMake one in the Google account (Security, 2-Step Verification, App passwords) and use it as the password.',
  mail_sign_in_needed: '{host} asks for a sign-in ({answer}).\nSet user and password.',
  mail_relay:
    '{host} does not send mail to others for us ({answer}).\nSet user and password, or let it relay for this machine.',
  mail_sender:
    '{host} does not accept the sender ({answer}).\nSet from to an address that this account may use.',
  mail_hello:
    '{host} does not accept the name we greet with ({answer}).\nSet `hello` to a host name that it accepts.',
  mail_blocked:
    '{host} does not take mail from this address of the Internet ({answer}).\nSend through the mail server of your provider, with user and password.',
  mail_limit:
    '{host} has reached a limit of this account ({answer}).\nThe mail is sent again by itself. If this stays, ask the provider for a higher limit.',
  mail_no_tls:
    '{host} does not switch to encryption ({answer}), and nothing is sent without it.\nUse smtps://, or another port.',
  mail_tls: '{host} could not switch to encryption.\nCheck its certificate, or give `ca_file`.',
  mail_recipient: 'Recipient {n} of {all} is refused ({answer}).\nCorrect the address under to.',
  mail_recipient_full:
    'The mailbox of recipient {n} of {all} is full ({answer}).\nLet its owner make room; the next mail is tried again.',
  mail_recipient_later:
    'Recipient {n} of {all} is put off ({answer}).\nTemporary: the mail is sent to it again by itself.',
  mail_open:
    '{host} takes mail unencrypted: others may read it on its way.\nSet `tls: required`, or sign in with a user.',
  target_told: 'the last message arrived on {day}',
  target_idle:
    'nothing has been due since {day}, so nothing shows that it still works\nTry it: clinic-sync notify test {name}.',
  target_never: 'no message has arrived yet\nTry it: clinic-sync notify test {name}.',
  target_owed: 'owed since {since}, not told yet: {number}',
} as const;
