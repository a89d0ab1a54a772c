/**
 * Sends every response of this form to clinic-sync. Setting it up: connectors/web-form/README.md, Google Forms.
 * The address and the secret are kept under Project Settings → Script Properties, as ADDRESS and SECRET.
 */

/** Run this once: it asks for permission, sets the trigger up and sends a test. Running it again does no harm. */
function install() {
  ScriptApp.getProjectTriggers()
    .filter((trigger) => trigger.getHandlerFunction() === 'onResponse')
    .forEach((trigger) => ScriptApp.deleteTrigger(trigger));
  ScriptApp.newTrigger('onResponse').forForm(FormApp.getActiveForm()).onFormSubmit().create();
  send_({ test: true }, 'test-' + Utilities.getUuid());
}

/** Called by Google for each response. When it fails, Google writes an e-mail to the form's owner. */
function onResponse(event) {
  sendResponse_(event.response);
}

/** Sends the responses of the last seven days again, after a longer outage. Those that arrived stay one booking. */
function resend() {
  const since = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000);
  FormApp.getActiveForm().getResponses(since).forEach(sendResponse_);
}

function sendResponse_(response) {
  const answers = {};
  response.getItemResponses().forEach((item) => {
    const question = item.getItem().getTitle();
    if (!Object.prototype.hasOwnProperty.call(answers, question)) answers[question] = item.getResponse();
  });
  const body = {
    response_id: response.getId(),
    submitted_at: response.getTimestamp().toISOString(),
    answers: answers,
  };
  send_(body, response.getId());
}

/** Signed as https://www.standardwebhooks.com describes; tried four times within a quarter of a minute. */
function send_(body, id) {
  const properties = PropertiesService.getScriptProperties();
  const secret = properties.getProperty('SECRET');
  const payload = JSON.stringify(body);
  const key = secret.startsWith('whsec_')
    ? Utilities.base64Decode(secret.slice('whsec_'.length))
    : Utilities.newBlob(secret).getBytes();

  let status = 0;
  for (let attempt = 0; attempt < 4; attempt += 1) {
    if (attempt > 0) Utilities.sleep(1000 * 2 ** attempt);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const content = Utilities.newBlob(id + '.' + timestamp + '.' + payload).getBytes();
    const signature = Utilities.base64Encode(Utilities.computeHmacSha256Signature(content, key));
    try {
      status = UrlFetchApp.fetch(properties.getProperty('ADDRESS'), {
        method: 'post',
        contentType: 'application/json',
        payload: payload,
        headers: {
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': 'v1,' + signature,
        },
        muteHttpExceptions: true,
        followRedirects: false,
      }).getResponseCode();
    } catch (error) {
      status = 0;
    }
    if (status >= 200 && status < 300) return;
  }
  throw new Error('clinic-sync did not take the response; its answer was ' + (status || 'none') + '. Run resend() later.');
}
