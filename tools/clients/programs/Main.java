package example;

import java.io.File;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AccountsApi;
import org.openapitools.client.api.ImportsApi;
import org.openapitools.client.api.TransactionsApi;
import org.openapitools.client.api.UsersApi;
import org.openapitools.client.model.TransactionField;
import org.openapitools.client.model.UpdateAccountBody;

public class Main {
  public static void main(String[] arguments) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("API_URL"));
    client.setRequestInterceptor(request -> request.header("X-API-Key", System.getenv("API_KEY")));
    var page = new TransactionsApi(client).listTransactions(
        TransactionsApi.APIListTransactionsRequest.newBuilder()
            .limit(3)
            .fields(List.of(TransactionField.CORE, TransactionField.TAGS))
            .build());
    var accounts = new AccountsApi(client);
    var account = accounts.listAccounts(AccountsApi.APIListAccountsRequest.newBuilder().build()).get(0);
    var patched = accounts.updateAccount(
        AccountsApi.APIUpdateAccountRequest.newBuilder()
            .id(account.getShortId())
            .updateAccountBody(new UpdateAccountBody().displayName("Patched by Java"))
            .build());
    var user = new UsersApi(client).listUsers(UsersApi.APIListUsersRequest.newBuilder().build()).get(0);
    var imported = new ImportsApi(client).importFile(
        ImportsApi.APIImportFileRequest.newBuilder()
            ._file(new File(System.getenv("BANK_FILE")))
            .userId(user.getShortId())
            .accountName("java")
            .isoCurrencyCode("USD")
            // The generator asks lists of a form for their size, also when they are not given.
            .accountFilter(List.of())
            .includeLines(List.of())
            .excludeLines(List.of())
            .outcome(List.of())
            .build());
    System.out.println(
        "{\"list\":" + page.getTransactions().size()
            + ",\"patch\":\"" + patched.getDisplayName()
            + "\",\"import\":" + imported.getCounts().getTotal() + "}");
  }
}
