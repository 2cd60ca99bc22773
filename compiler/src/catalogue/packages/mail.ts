import { clients, pure, purePackages, rows, type RowGroup } from "../rows.js";

const SENT = "the message goes out again on every replay";
const CALL = "the service is called again on every replay";

/** Mail, text messages, push, chat and the customer services around them. */
export const MAIL: readonly RowGroup[] = [
  ...clients("network", SENT, "nodemailer", "createTransport createTestAccount", { writes: true }),
  ...pure("nodemailer#", "getTestMessageUrl"),
  ...clients(
    "network",
    SENT,
    "resend postmark mailgun.js mailgun-js @mailchimp/mailchimp_marketing @mailchimp/mailchimp_transactional sib-api-v3-sdk @getbrevo/brevo loops mailersend node-mailjet sparkpost emailjs @emailjs/nodejs @plunk/node customerio-node",
    "default client apiConnect",
    { writes: true },
  ),
  ...["@sendgrid/mail", "@sendgrid/client"].flatMap((module) => [
    ...rows(`${module}#`, "network", SENT, "*", { async: true, writes: true }),
    ...pure(`${module}#`, "setApiKey setSubstitutionWrappers setTimeout MailService"),
  ]),
  ...clients(
    "network",
    SENT,
    "twilio plivo telnyx messagebird @vonage/server-sdk @vonage/messages @infobip-api/sdk africastalking clicksend",
    "default Twilio",
    { writes: true },
  ),
  ...clients(
    "network",
    SENT,
    "web-push expo-server-sdk apn @parse/node-apn onesignal-node @onesignal/node-onesignal @novu/node @novu/api @knocklabs/node @trycourier/courier pusher ably @pusher/push-notifications-server",
    "default",
    { writes: true },
  ),
  ...pure("web-push#", "setVapidDetails setGCMAPIKey"),
  ...clients(
    "network",
    SENT,
    "@slack/web-api @slack/webhook @slack/bolt discord.js discord-api-types @discordjs/rest telegraf grammy node-telegram-bot-api @line/bot-sdk whatsapp-web.js botbuilder matrix-js-sdk zulip-js  ",
    "",
    { writes: true },
  ),
  ...clients(
    "network",
    CALL,
    "@hubspot/api-client jsforce node-zendesk intercom-client @octokit/rest @octokit/core @octokit/graphql octokit @gitbeaker/rest jira.js jira-client @linear/sdk @notionhq/client airtable googleapis google-auth-library asana trello monday-sdk-js @calcom/sdk freshdesk-api pipedrive",
    "google.sheets google.drive google.calendar google.gmail graphql.defaults",
    { writes: true },
  ),
  ...clients(
    "network",
    CALL,
    "contentful contentful-management @sanity/client @contentstack/delivery-sdk @prismicio/client @storyblok/js @directus/sdk @shopify/shopify-api @shopify/admin-api-client @woocommerce/woocommerce-rest-api",
    "createClient",
    { writes: true },
  ),
  ...clients(
    "network",
    CALL,
    "auth0 @clerk/backend @clerk/clerk-sdk-node @clerk/nextjs @workos-inc/node @okta/okta-sdk-nodejs openid-client passport next-auth better-auth lucia @descope/node-sdk stytch",
    "createClerkClient",
    { writes: true },
  ),
  ...purePackages("mjml @react-email/render @react-email/components email-addresses email-validator"),
];
