import json
import os

from homeledger_client import AuthenticatedClient
from homeledger_client.api.accounts import list_accounts, update_account
from homeledger_client.api.imports import import_file
from homeledger_client.api.transactions import list_transactions
from homeledger_client.api.users import list_users
from homeledger_client.models import FileImportForm, TransactionField, UpdateAccountBody
from homeledger_client.types import File

client = AuthenticatedClient(
    base_url=os.environ["API_URL"],
    token=os.environ["API_KEY"],
    prefix="",
    auth_header_name="X-API-Key",
    raise_on_unexpected_status=True,
)
page = list_transactions.sync(client=client, limit=3, fields=[TransactionField.CORE, TransactionField.TAGS])
account = list_accounts.sync(client=client)[0]
patched = update_account.sync(
    client=client, id=account.short_id, body=UpdateAccountBody(display_name="Patched by Python")
)
user = list_users.sync(client=client)[0]
with open(os.environ["BANK_FILE"], "rb") as bank_file:
    imported = import_file.sync(
        client=client,
        body=FileImportForm(
            file=File(payload=bank_file, file_name="example-bank.csv", mime_type="text/csv"),
            user_id=user.short_id,
            account_name="python",
            iso_currency_code="USD",
        ),
    )
print(json.dumps({"list": len(page.transactions), "patch": patched.display_name, "import": imported.counts.total}))
