/**
 * A self-signed certificate for `secure.test` and 127.0.0.1, valid until 2125, and its key. Made for these tests only; it guards nothing.
 * To renew: openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj '/CN=Forager test only'
 *   -addext subjectAltName=DNS:secure.test,IP:127.0.0.1
 */
export const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBjTCCATKgAwIBAgIUFgl70HwWs19F4ylYczrrISmgxowwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRRm9yYWdlciB0ZXN0IG9ubHkwIBcNMjYxMTIxMTE1NzEwWhgP
MjEyNjEwMjgxMTU3MTBaMBwxGjAYBgNVBAMMEUZvcmFnZXIgdGVzdCBvbmx5MFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAENeFum3gVyHzwFpCREM6vzB1UJwyHOBoS
wlIiYwSe/cXH9FoAQkuO67fmrMd4KGA3M2ICC5lrPDXmifmr9dMH4qNQME4wHAYD
VR0RBBUwE4ILc2VjdXJlLnRlc3SHBH8AAAEwDwYDVR0TAQH/BAUwAwEB/zAdBgNV
HQ4EFgQU2ZNSmwBq4nVi2erh3UBPwpR5zL8wCgYIKoZIzj0EAwIDSQAwRgIhAJGl
ypN4yDHzEmxurC4FCcMUqRxx6LKpIfkXU9qOqf3RAiEA0XTEastqIfSLZdMZ/LKB
dKAu4wpzP/HwUdnCDUVwYbU=
-----END CERTIFICATE-----
`;

/** As the one above, with the same key, but out of date since 2020. To renew: openssl ca -selfsign -startdate 20200101000000Z -enddate 20200201000000Z. */
export const EXPIRED_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBijCCAS+gAwIBAgIBATAKBggqhkjOPQQDAjAlMSMwIQYDVQQDDBpGb3JhZ2Vy
IHRlc3Qgb25seSwgZXhwaXJlZDAeFw0yMDAxMDEwMDAwMDBaFw0yMDAyMDEwMDAw
MDBaMCUxIzAhBgNVBAMMGkZvcmFnZXIgdGVzdCBvbmx5LCBleHBpcmVkMFkwEwYH
KoZIzj0CAQYIKoZIzj0DAQcDQgAENeFum3gVyHzwFpCREM6vzB1UJwyHOBoSwlIi
YwSe/cXH9FoAQkuO67fmrMd4KGA3M2ICC5lrPDXmifmr9dMH4qNQME4wHAYDVR0R
BBUwE4ILc2VjdXJlLnRlc3SHBH8AAAEwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4E
FgQU2ZNSmwBq4nVi2erh3UBPwpR5zL8wCgYIKoZIzj0EAwIDSQAwRgIhAOMfYvEj
EsmWiZEpW6DeYcBZBgcEb1nvFfIqius3TFveAiEAlbyTxNPBz/wz5XKal3ecMVoL
3cdc/A4vy262mau7ftk=
-----END CERTIFICATE-----
`;

export const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgk8IaN+P5bEu6HFgb
i6mGHi/VTtypy3zt7t3w3EUidlmhRANCAAQ14W6beBXIfPAWkJEQzq/MHVQnDIc4
GhLCUiJjBJ79xcf0WgBCS47rt+asx3goYDczYgILmWs8NeaJ+av10wfi
-----END PRIVATE KEY-----
`;
