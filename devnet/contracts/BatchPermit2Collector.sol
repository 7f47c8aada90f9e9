// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

struct TokenPermissions {
    address token;
    uint256 amount;
}

struct PermitTransferFrom {
    TokenPermissions permitted;
    uint256 nonce;
    uint256 deadline;
}

interface Permit2 {
    struct TransferDetails {
        address to;
        uint256 requestedAmount;
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        TransferDetails calldata details,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}

interface Eip2612 {
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external;
}

/// @notice Takes a deposit of `BatchSettlement` by Permit2, written from the facts of the scheme. The payer signs the
///         channel as the witness. A token's permit may come along; if it fails, an earlier approval may do.
contract BatchPermit2Collector {
    bytes32 public constant WITNESS_TYPEHASH = keccak256("DepositWitness(bytes32 channelId)");
    string public constant WITNESS_TYPE_STRING =
        "DepositWitness witness)DepositWitness(bytes32 channelId)TokenPermissions(address token,uint256 amount)";

    address public immutable settlement;
    Permit2 public immutable PERMIT2;

    error OnlyX402BatchSettlement();

    constructor(address batchSettlement, address permit2) {
        settlement = batchSettlement;
        PERMIT2 = Permit2(permit2);
    }

    function collect(
        address payer,
        address token,
        uint256 amount,
        bytes32 channelId,
        address,
        bytes calldata collectorData
    ) external {
        if (msg.sender != settlement) revert OnlyX402BatchSettlement();
        (uint256 nonce, uint256 deadline, bytes memory signature, bytes memory permit2612) =
            abi.decode(collectorData, (uint256, uint256, bytes, bytes));
        if (permit2612.length > 0) approve(payer, token, permit2612);
        PERMIT2.permitWitnessTransferFrom(
            PermitTransferFrom(TokenPermissions(token, amount), nonce, deadline),
            Permit2.TransferDetails(settlement, amount),
            payer,
            keccak256(abi.encode(WITNESS_TYPEHASH, channelId)),
            WITNESS_TYPE_STRING,
            signature
        );
    }

    function approve(address payer, address token, bytes memory permit2612) private {
        (uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) =
            abi.decode(permit2612, (uint256, uint256, uint8, bytes32, bytes32));
        try Eip2612(token).permit(payer, address(PERMIT2), value, deadline, v, r, s) {} catch {}
    }
}
