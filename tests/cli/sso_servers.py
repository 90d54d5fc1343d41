"""A provider of OpenID Connect and a learning platform of LTI 1.3 for the tests, with all that they check of a client.

Both are small and strict: they verify PKCE, the client's secret, addresses to return to, and the signatures of Paika's
assertions by the keys that Paika publishes. Both can be told to issue tokens that are wrong in one way.
"""

import base64
import datetime
import hashlib
import hmac
import http.server
import ipaddress
import json
import secrets
import ssl
import threading
import time
import urllib.parse
import urllib.request

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.x509.oid import NameOID

LTI = "https://purl.imsglobal.org/spec/lti/claim/"
AGS = "https://purl.imsglobal.org/spec/lti-ags/"
MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership#"


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def number(value):
    return b64(value.to_bytes((value.bit_length() + 7) // 8, "big"))


class Key:
    """A private key of one algorithm."""

    def __init__(self, algorithm="RS256", kid=None, bits=2048):
        self.algorithm = algorithm
        self.kid = kid or secrets.token_hex(4)
        self.private = (rsa.generate_private_key(65537, bits) if algorithm == "RS256"
                        else ec.generate_private_key(ec.SECP256R1()))

    def jwk(self):
        public = self.private.public_key().public_numbers()
        common = {"kid": self.kid, "use": "sig", "alg": self.algorithm}
        if self.algorithm == "RS256":
            return {"kty": "RSA", "n": number(public.n), "e": number(public.e), **common}
        return {"kty": "EC", "crv": "P-256", "x": b64(public.x.to_bytes(32, "big")),
                "y": b64(public.y.to_bytes(32, "big")), **common}

    def public_pem(self):
        return self.private.public_key().public_bytes(serialization.Encoding.PEM,
                                                      serialization.PublicFormat.SubjectPublicKeyInfo)

    def signature(self, data):
        if self.algorithm == "RS256":
            return self.private.sign(data, padding.PKCS1v15(), hashes.SHA256())
        r, s = utils.decode_dss_signature(self.private.sign(data, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    def token(self, claims, header=None, sign=None):
        head = {"alg": self.algorithm, "typ": "JWT", "kid": self.kid, **(header or {})}
        text = b64(json.dumps(head).encode()) + "." + b64(json.dumps(claims).encode())
        return text + "." + b64((sign or self.signature)(text.encode()))


# ---- Tokens that are wrong in one way: what becomes of the claims, or of the whole token ----


def unsigned(key, claims):
    return key.token(claims, {"alg": "none"}, lambda _: b"")


def by_public_key(key, claims):
    """HS256 with the public key as its secret: what a client that lets the token choose would take."""
    return key.token(claims, {"alg": "HS256"}, lambda text: hmac.new(key.public_pem(), text, "sha256").digest())


def by_stranger(key, claims):
    stranger = Key(key.algorithm, key.kid)
    return stranger.token(claims)


def with_own_key(key, claims):
    """The key comes with the token."""
    stranger = Key("RS256", key.kid)
    return stranger.token(claims, {"jwk": stranger.jwk(), "jku": "http://127.0.0.1:1/"})


def bent(key, claims):
    token = key.token(claims).split(".")
    body = json.loads(unb64(token[1]))
    body["sub"] = "somebody-else"
    return ".".join([token[0], b64(json.dumps(body).encode()), token[2]])


def changed(**changes):
    def make(key, claims):
        claims = {**claims, **changes}
        return key.token({name: value for name, value in claims.items() if value is not None})
    return make


WRONG_TOKENS = {
    "no signature": unsigned,
    "HS256 by the public key": by_public_key,
    "a stranger's signature": by_stranger,
    "a key in the token": with_own_key,
    "content changed after signing": bent,
    "a critical extension": lambda key, claims: key.token(claims, {"crit": ["exp"]}),
    "another audience": changed(aud="somebody-else"),
    "another client's, in a list": changed(aud=["paika-client", "other"], azp="other"),
    "several audiences without azp": changed(aud=["paika-client", "other"]),
    "another issuer": changed(iss="https://evil.example.org"),
    "expired": changed(exp=int(time.time()) - 3600),
    "without an end": changed(exp=None),
    "from the future": changed(iat=int(time.time()) + 3600),
    "kept for long": changed(iat=int(time.time()) - 86400),
    "not valid yet": changed(nbf=int(time.time()) + 3600),
    "another nonce": changed(nonce="of-another-request"),
    "no nonce": changed(nonce=None),
    "nobody": changed(sub=""),
}


def make_certificate(folder):
    """A certificate of this machine that nobody else has signed; the paths of it and of its key."""
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(private.public_key())
                   .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
                   .not_valid_after(now + datetime.timedelta(days=1))
                   .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
                   .add_extension(x509.BasicConstraints(True, None), True).sign(private, hashes.SHA256()))
    paths = folder / "certificate.pem", folder / "key.pem"
    paths[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                               serialization.NoEncryption()))
    return paths


# ---- Servers ----


class SmallServer:
    """An HTTP server on this machine; do_get(path, query) and do_post(path, query, form, headers) answer."""

    def __init__(self):
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.reply(outer.do_get)

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"] or 0))
                self.reply(lambda path, query: outer.do_post(path, query, body, self.headers))

            def reply(self, function):
                parts = urllib.parse.urlsplit(self.path)
                query = dict(urllib.parse.parse_qsl(parts.query))
                with outer.lock:
                    outer.hits[parts.path] = outer.hits.get(parts.path, 0) + 1
                try:
                    status, answer = function(parts.path, query)
                except AssertionError as fault:
                    outer.faults.append(str(fault))
                    status, answer = 400, {"error": "invalid_request"}
                data = json.dumps(answer).encode()
                self.send_response(status)
                if status in (302, 303):
                    self.send_header("Location", answer)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.lock = threading.Lock()
        self.hits = {}
        self.faults = []
        self.key = Key()
        self.keys = [self.key]  # those that are published
        self.make_token = None  # or one of WRONG_TOKENS
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None  # who does not believe the certificate hangs up
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def encrypt(self, certificate, key):
        """Speaks TLS from now on."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.url = self.url.replace("http:", "https:")

    def rotate(self, algorithm="RS256"):
        self.key = Key(algorithm)
        self.keys = [self.key]

    def issue(self, claims):
        return (self.make_token or Key.token)(self.key, claims)

    def jwks(self):
        return 200, {"keys": [key.jwk() for key in self.keys]}


class Provider(SmallServer):
    """OpenID Connect. `person` is who sits before the browser; `client`, `secret` and `returns` are its registration."""

    client, secret = "paika-client", "a s3cret/with+signs"

    def __init__(self, returns):
        super().__init__()
        self.returns = returns
        self.person = {"sub": "subject-1", "preferred_username": "ada.lovelace@example.org", "name": "Ada Lovelace"}
        self.codes = {}
        self.configuration = {}

    def do_get(self, path, query):
        if path == "/.well-known/openid-configuration":
            return 200, {"issuer": self.url, "authorization_endpoint": self.url + "/authorize?tenant=1",
                         "token_endpoint": self.url + "/token", "jwks_uri": self.url + "/jwks", **self.configuration}
        if path == "/jwks":
            return self.jwks()
        assert path == "/authorize", path
        assert query["tenant"] == "1", "the endpoint's own query is lost"
        assert query["response_type"] == "code" and query["client_id"] == self.client, query
        assert query["redirect_uri"] == self.returns, query
        assert query["code_challenge_method"] == "S256" and len(query["code_challenge"]) == 43, query
        assert "openid" in query["scope"].split() and len(query["nonce"]) > 20 and len(query["state"]) > 20, query
        code = secrets.token_urlsafe(200)
        self.codes[code] = {**query, "person": dict(self.person)}
        return 302, self.returns + "?" + urllib.parse.urlencode({"code": code, "state": query["state"], "iss": self.url})

    def do_post(self, path, _query, body, headers):
        assert path == "/token", path
        form = dict(urllib.parse.parse_qsl(body.decode()))
        basic = base64.b64decode(headers["Authorization"].removeprefix("Basic ")).decode()
        client, secret = (urllib.parse.unquote(part) for part in basic.split(":"))
        assert (client, secret) == (self.client, self.secret), "the client's secret is wrong"
        assert form["grant_type"] == "authorization_code", form
        attempt = self.codes.pop(form["code"], None)  # good for one time
        assert attempt, "this code is not known"
        assert form["redirect_uri"] == attempt["redirect_uri"], form
        challenge = b64(hashlib.sha256(form["code_verifier"].encode()).digest())
        assert challenge == attempt["code_challenge"], "PKCE: the verifier is wrong"
        now = int(time.time())
        claims = {"iss": self.url, "aud": self.client, "exp": now + 300, "iat": now, "nonce": attempt["nonce"],
                  **attempt["person"]}
        return 200, {"access_token": "x", "token_type": "Bearer", "id_token": self.issue(claims)}


class Platform(SmallServer):
    """A learning platform. `tool` is the address of Paika's key set."""

    client, deployment = "paika-client", "deployment-1"

    def __init__(self, target):
        super().__init__()
        self.target = target
        self.tool = None
        self.scopes = [AGS + "scope/score", AGS + "scope/lineitem"]
        self.with_column = True
        self.seen_assertions = set()
        self.tokens = {}
        self.columns = {}
        self.scores = []
        self.fail_next = 0

    def launch_claims(self, query, person, role, **changes):
        """What a launch of a person says after the login whose query this is."""
        now = int(time.time())
        endpoint = {"scope": self.scopes, "lineitems": self.url + "/columns?type=1"}
        if self.with_column:
            endpoint["lineitem"] = self.url + "/columns/1?type=1"
        return {"iss": self.url, "aud": [self.client], "exp": now + 300, "iat": now, "nonce": query["nonce"],
                "sub": person, "name": f"Student {person}", "given_name": person,
                LTI + "version": "1.3.0", LTI + "message_type": "LtiResourceLinkRequest",
                LTI + "deployment_id": self.deployment, LTI + "target_link_uri": self.target,
                LTI + "resource_link": {"id": "link-1"}, LTI + "context": {"id": "course-7", "title": "Games 101"},
                LTI + "roles": [MEMBERSHIP + role], AGS + "claim/endpoint": endpoint, **changes}

    def do_get(self, path, _query):
        assert path == "/jwks", path
        return self.jwks()

    def do_post(self, path, query, body, headers):
        if path == "/token":
            return self.give_access(dict(urllib.parse.parse_qsl(body.decode())))
        scope = self.tokens.get(headers["Authorization"].removeprefix("Bearer "))
        if self.fail_next > 0:
            self.fail_next -= 1
            return 503, {}
        assert query == {"type": "1"}, f"the query of the address is lost: {query}"
        content = json.loads(body)
        if path == "/columns":
            assert scope == AGS + "scope/lineitem", scope
            assert headers["Content-Type"] == "application/vnd.ims.lis.v2.lineitem+json", headers["Content-Type"]
            self.columns[f"/columns/{len(self.columns) + 2}"] = content
            return 201, {**content, "id": self.url + f"/columns/{len(self.columns) + 1}?type=1"}
        assert path.endswith("/scores") and scope == AGS + "scope/score", (path, scope)
        assert headers["Content-Type"] == "application/vnd.ims.lis.v1.score+json", headers["Content-Type"]
        for field in ("timestamp", "activityProgress", "gradingProgress", "scoreGiven", "scoreMaximum", "userId"):
            assert field in content, content
        if content["userId"] == "student-gone":
            return 404, {}
        self.scores.append((path.removesuffix("/scores"), content))
        return 200, {}

    def give_access(self, form):
        assert form["grant_type"] == "client_credentials", form
        assert form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", form
        claims = self.check_assertion(form["client_assertion"])
        assert claims["iss"] == claims["sub"] == self.client and claims["aud"] == self.url + "/token", claims
        assert claims["iat"] - 60 < time.time() < claims["exp"] <= claims["iat"] + 3600, claims
        assert claims["jti"] not in self.seen_assertions, "an assertion is used twice"
        self.seen_assertions.add(claims["jti"])
        token = secrets.token_urlsafe(16)
        self.tokens[token] = form["scope"]
        return 200, {"access_token": token, "token_type": "Bearer", "expires_in": 3600, "scope": form["scope"]}

    def check_assertion(self, token):
        head, content, signature = token.split(".")
        header = json.loads(unb64(head))
        assert header["alg"] == "RS256", header
        try:
            with urllib.request.urlopen(self.tool, timeout=10) as answer:
                keys = {jwk["kid"]: jwk for jwk in json.load(answer)["keys"]}
        except OSError as fault:
            raise AssertionError(f"the tool's keys cannot be fetched: {fault}") from None
        jwk = keys[header["kid"]]
        assert set(jwk) == {"kty", "alg", "use", "kid", "n", "e"}, f"the key set tells too much: {sorted(jwk)}"
        public = rsa.RSAPublicNumbers(int.from_bytes(unb64(jwk["e"]), "big"), int.from_bytes(unb64(jwk["n"]), "big"))
        try:
            public.public_key().verify(unb64(signature), f"{head}.{content}".encode(), padding.PKCS1v15(), hashes.SHA256())
        except InvalidSignature:
            raise AssertionError("the assertion's signature is wrong") from None
        return json.loads(unb64(content))
