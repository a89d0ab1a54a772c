import type { targetTexts as english } from '../../domain/target-texts.ts';
import type { Translated } from '../catalogue.ts';

export const targets: Translated<typeof english> = {
  target_answered: '{host} hat mit {answer} geantwortet.\n{remedy}',
  target_unproven:
    '{host} hat mit {answer} geantwortet, aber nicht so wie {service}: Niemand hat etwas erfahren.\nDort antwortet etwas anderes, etwa die Anmeldeseite eines Proxys. Prüfen Sie Adresse und Netz.',
  heartbeat_unproven:
    '{host} hat mit {answer} geantwortet; so bestätigt kein Monitor.\nPrüfen Sie die Adresse: Kopieren Sie sie neu aus dem Monitor.',
  target_unsure:
    '{host} hat die Nachricht genommen und nicht geantwortet.\nSehen Sie nach, ob sie dort ankam; sie wird als Wiederholung noch einmal gesendet.',
  target_plain:
    '{host} hat eine Nachricht nicht angenommen ({answer}), in einfacher Form aber doch.\nSie nannte nur die Referenz; alles Weitere steht auf der Seite.',
  target_content:
    '{host} hat eine Nachricht nicht angenommen ({answer}), auch nicht in einfacher Form.\nIhr Inhalt folgt später noch einmal. Prüfen Sie, für welche Art Ziel die Adresse ist.',
  target_busy: 'Das Ziel bekommt zu viele Nachrichten. Vorübergehend: Diese wird von selbst erneut gesendet.',
  target_broken: 'Das Ziel ist selbst gestört. Vorübergehend: Die Nachricht wird von selbst erneut gesendet.',
  target_redirect:
    'Weiterleitungen werden nicht befolgt: Tragen Sie die Adresse ein, auf die verwiesen wird.',
  target_denied: 'Prüfen Sie Token oder Geheimnis und ob dorthin geschrieben werden darf.',
  target_not_there:
    'Die Adresse gibt es nicht oder nicht mehr. Kopieren Sie sie neu, oder legen Sie eine neue an.',
  target_refuses: 'Prüfen Sie, für welche Art Ziel die Adresse ist.',
  slack_archived:
    'Der Kanal ist archiviert: Stellen Sie ihn wieder her, oder legen Sie einen Webhook für einen anderen an.',
  slack_gone: 'Der Webhook wurde entfernt: Legen Sie in Slack einen neuen an und kopieren Sie seine Adresse.',
  slack_forbidden: 'Der Workspace erlaubt es nicht: Fragen Sie seinen Administrator.',
  slack_channel: 'Der Kanal wurde gelöscht: Legen Sie einen Webhook für einen anderen an.',
  telegram_chat:
    'Prüfen Sie `chat`: Nehmen Sie den Bot in die Gruppe auf, oder lassen Sie die Person dem Bot einmal schreiben.',
  telegram_out: 'Der Bot wurde blockiert oder entfernt: Geben Sie ihn frei, oder nehmen Sie ihn wieder auf.',
  telegram_rights: 'Lassen Sie den Bot in diesem Chat schreiben: In einem Kanal muss er Administrator sein.',
  telegram_token: 'Das Token ist falsch oder widerrufen: Holen Sie es neu von @BotFather.',
  telegram_topic:
    'Das Thema ist geschlossen oder gelöscht: Berichtigen Sie `thread`, oder öffnen Sie es wieder.',
  telegram_moved:
    'Die Gruppe wurde zur Supergruppe; ihre neue Nummer {answer} wird verwendet.\nSetzen Sie `chat` auf die neue Nummer.',
  teams_off: 'Der Workflow ist ausgeschaltet oder gelöscht: Schalten Sie ihn in Power Automate ein.',
  ntfy_quota:
    'Die Tagesmenge dieses Themas oder dieser Adresse ist verbraucht: Warten Sie, oder nehmen Sie ein größeres Konto oder einen eigenen Server.',
  mail_refused:
    '{host} hat die Mail bei {step} abgelehnt ({answer}).\nPrüfen Sie from und to und ob dieser Server für Sie senden darf.',
  mail_later:
    '{host} hat die Mail bei {step} aufgeschoben ({answer}).\nVorübergehend: Sie wird von selbst erneut gesendet.',
  mail_closed:
    '{host} hat die Verbindung bei {step} beendet.\nVorübergehend: Die Mail wird von selbst erneut gesendet.',
  mail_silent:
    '{host} hat bei {step} nicht geantwortet.\nDie Mail wird von selbst erneut gesendet. Bleibt es so, prüfen Sie Port und Verschlüsselung: 465 ist smtps://, 587 ist smtp://.',
  mail_no_smtp:
    '{host} spricht dort kein SMTP.\nPrüfen Sie Host und Port: 465 ist smtps://, 587 ist smtp://.',
  mail_sign_in: '{host} hat die Anmeldung abgelehnt ({answer}).\nPrüfen Sie Benutzer und Passwort.',
  mail_token:
    '{host} gab kein Token zum Anmelden ({answer}).\nMelden Sie sich neu an und hinterlegen Sie das neue Refresh-Token; prüfen Sie client_id und client_secret.',
  mail_basic_off:
    '{host} lässt Programme nicht mehr mit Passwort anmelden ({answer}).\nVerwenden Sie `oauth` (docs/notifications.md), oder lassen Sie einen Administrator SMTP AUTH für dieses Postfach erlauben.',
  mail_app_password:
    '{host} verlangt ein App-Passwort ({answer}).\nErstellen Sie eines im Google-Konto (Sicherheit, Bestätigung in zwei Schritten, App-Passwörter) und verwenden Sie es als Passwort.',
  mail_sign_in_needed: '{host} verlangt eine Anmeldung ({answer}).\nSetzen Sie user und password.',
  mail_relay:
    '{host} leitet unsere Mail nicht an andere weiter ({answer}).\nSetzen Sie user und password, oder lassen Sie den Server für diesen Rechner weiterleiten.',
  mail_sender:
    '{host} nimmt den Absender nicht an ({answer}).\nSetzen Sie from auf eine Adresse, die dieses Konto verwenden darf.',
  mail_hello:
    '{host} nimmt den Namen nicht an, mit dem wir grüßen ({answer}).\nSetzen Sie `hello` auf einen Rechnernamen, den der Server annimmt.',
  mail_blocked:
    '{host} nimmt von unserer Internetadresse keine Mail an ({answer}).\nSenden Sie über den Mailserver Ihres Anbieters, mit user und password.',
  mail_limit:
    'Bei {host} ist eine Grenze dieses Kontos erreicht ({answer}).\nDie Mail wird von selbst erneut gesendet. Bleibt es so, bitten Sie den Anbieter um eine höhere.',
  mail_no_tls:
    '{host} bietet keine Verschlüsselung, und ohne sie wird das Passwort nie gesendet.\nVerwenden Sie smtps:// oder einen anderen Port.',
  mail_tls:
    '{host} konnte nicht auf Verschlüsselung umschalten.\nPrüfen Sie sein Zertifikat, oder geben Sie `ca_file` an.',
  mail_recipient: 'Empfänger {n} von {all} wird abgelehnt ({answer}).\nBerichtigen Sie die Adresse unter to.',
  mail_recipient_full:
    'Das Postfach von Empfänger {n} von {all} ist voll ({answer}).\nSein Inhaber muss Platz schaffen; die nächste Mail wird wieder versucht.',
  mail_recipient_later:
    'Empfänger {n} von {all} ist aufgeschoben ({answer}).\nVorübergehend: Die Mail an ihn wird von selbst erneut gesendet.',
  mail_open:
    '{host} nimmt Mail unverschlüsselt an: Unterwegs können andere sie lesen.\nSetzen Sie `tls: required`, oder melden Sie sich mit user an.',
  target_told: 'die letzte Nachricht kam am {day} an',
  target_idle:
    'seit {day} war nichts fällig; ob es noch funktioniert, zeigt daher nichts\nProbieren Sie es: clinic-sync notify test {name}.',
  target_never: 'es ist noch keine Nachricht angekommen\nProbieren Sie es: clinic-sync notify test {name}.',
  target_owed: 'seit {since} offen, noch nicht mitgeteilt: {number}',
};
