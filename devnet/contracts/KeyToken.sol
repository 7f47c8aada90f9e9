// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {PlainToken} from "./PlainToken.sol";
import {SignedToken} from "./SignedToken.sol";

/// @notice A token with the first form of EIP-3009, as USDC had it before its version 2.2: v, r and s, and no signature
///         of other lengths. It takes the key's signature of an account that has code (EIP-7702), and asks no contract.
contract KeyToken is SignedToken {
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    mapping(address => mapping(bytes32 => bool)) public authorizationState;

    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    constructor(string memory tokenName, uint8 tokenDecimals) PlainToken(tokenName, tokenDecimals) {}

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp > validAfter, "KeyToken: authorization is not yet valid");
        require(block.timestamp < validBefore, "KeyToken: authorization is expired");
        require(!authorizationState[from][nonce], "KeyToken: authorization is used or canceled");
        bytes memory message =
            abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce);
        require(isSigned(from, message, v, r, s), "KeyToken: invalid signature");
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
        move(from, to, value);
    }
}
