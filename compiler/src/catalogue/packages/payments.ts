import { clients, pure, rows, type RowGroup } from "../rows.js";

const PAID = "the payment service is called again on every replay";

/** Payment services. */
export const PAYMENTS: readonly RowGroup[] = [
  ...clients(
    "network",
    PAID,
    "stripe braintree square @square/web-sdk @adyen/api-library razorpay @mollie/api-client @lemonsqueezy/lemonsqueezy.js @paddle/paddle-node-sdk plaid dwolla-v2 chargebee recurly @polar-sh/sdk mercadopago gocardless-nodejs coinbase-commerce-node @paypal/checkout-server-sdk @paypal/paypal-server-sdk @paypal/payouts-sdk paypal-rest-sdk authorizenet xero-node intuit-oauth taxjar @easypost/api shippo",
    "default createMollieClient connect",
    { writes: true },
  ),
  ...rows("@paypal/*#", "network", PAID, "*", { async: true }),
  ...rows("@paypal/*#", "network", PAID, "*.execute *.create *.capture *.createOrder *.captureOrder", {
    async: true,
    writes: true,
  }),
  ...rows("@paypal/*#", "pure", "a client or request that is made does nothing yet", "*", {
    when: { form: "new" },
  }),
  ...rows(
    "stripe#",
    "clock",
    "it compares the signature's time with the clock",
    "*.constructEvent *.constructEventAsync *.verifyHeader",
  ),
  ...pure("stripe#", "errors.*"),
];
